"""Companies and their members.

Profiles and companies are created in SQL at sign-up and edited through `/rest/v1`. This package finds out which company
the caller belongs to, and who wants to be notified when a waiver is signed.
"""

from cairn.accounts.guests import Guest, guests_to_delete, is_guest, lock_guest, plan_deletion
from cairn.accounts.people import (
    CompanyPerson,
    EmailRecipient,
    company_person,
    confirmed_people,
    signing_email_recipients,
)
from cairn.accounts.push_subscriptions import company_push_subscriptions, delete_push_subscription

__all__ = [
    "CompanyPerson",
    "EmailRecipient",
    "Guest",
    "company_person",
    "company_push_subscriptions",
    "confirmed_people",
    "delete_push_subscription",
    "guests_to_delete",
    "is_guest",
    "lock_guest",
    "plan_deletion",
    "signing_email_recipients",
]
