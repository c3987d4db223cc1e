"""`cairn demo`: a sample company with a season of waivers, for trying the product out and for screenshots.

Users, templates, sessions, emails and signatures are created through the HTTP API, exactly as the pages would create
them, and the worker does the rest. Only two things are written directly to the database, by its owner (`store`):
sessions that are not signed are backdated, so that not everything is from today, and the sandbox gets a card and paid
invoices. Signatures are never changed. All names and addresses are marked as samples, and email to them is not
delivered.
"""

from cairn.demo.run import SampleAccounts, create_sample_company

__all__ = ["SampleAccounts", "create_sample_company"]
