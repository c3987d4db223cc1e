"""Implements `cairn demo`, which creates a sample company with a season of waivers.

The sample company is for trying the product out and for screenshots. Users and templates are created through the HTTP
API. The waivers of five months are written in one transaction of the database owner (`write_season`), which also gives
them their times, and the company gets a plan, a card and paid invoices in the sandbox. The worker then prepares the
documents as always.

The name of the company, each text and each document say that this is sample data, and each history says in an event
that its times are made up. All addresses are in a domain to which no email can be delivered.
"""

from cairn.demo.run import SampleAccounts, create_sample_company

__all__ = ["SampleAccounts", "create_sample_company"]
