"""Implements `cairn demo`, which creates a sample company with a season of waivers.

The sample company is for trying the product out and for screenshots. Users, templates, sessions, emails and signatures
are created through the HTTP API, exactly as the pages would create them. The worker then prepares the documents. Only
two changes are made directly in the database (`store`): sessions that are not signed are backdated, so that not
everything is from today, and the company gets a card and paid invoices in the sandbox. Signatures are never changed.
All names and addresses are marked as samples, and email to them is not delivered.
"""

from cairn.demo.run import SampleAccounts, create_sample_company

__all__ = ["SampleAccounts", "create_sample_company"]
