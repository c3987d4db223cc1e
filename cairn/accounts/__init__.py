"""Companies and their members.

Profiles and companies are created in SQL at sign-up and edited through `/rest/v1`. This package finds the
company that the caller acts for, and the users who are notified of a company's events.
"""

from cairn.accounts.people import CompanyPerson, EmailRecipient, company_person, signing_email_recipients
from cairn.accounts.push_subscriptions import company_push_subscriptions, delete_push_subscription

__all__ = [
    "CompanyPerson",
    "EmailRecipient",
    "company_person",
    "company_push_subscriptions",
    "delete_push_subscription",
    "signing_email_recipients",
]
