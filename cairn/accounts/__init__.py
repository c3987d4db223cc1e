"""Companies and their members.

Profiles and companies are created in SQL at sign-up and edited through `/rest/v1`. This package finds out which company
the caller belongs to, and who wants to be notified when a waiver is signed. It also suspends companies, and schedules
the deletion of companies and guests.
"""

from cairn.accounts.companies import (
    Company,
    ListedCompany,
    companies_to_delete,
    company_exists,
    company_names,
    lock_company,
    log_operator_act,
    owned_company,
    people_of,
    resume_company,
    schedule_company_deletion,
    search_companies,
    suspend_company,
    unschedule_company_deletion,
)
from cairn.accounts.guests import Guest, guests_to_delete, is_guest, lock_guest, schedule_guest_deletion
from cairn.accounts.people import (
    CompanyPerson,
    EmailRecipient,
    company_person,
    confirmed_people,
    signing_email_recipients,
)
from cairn.accounts.push_subscriptions import (
    companies_with_push,
    company_push_subscriptions,
    delete_push_subscription,
)

__all__ = [
    "Company",
    "CompanyPerson",
    "EmailRecipient",
    "Guest",
    "ListedCompany",
    "companies_to_delete",
    "companies_with_push",
    "company_exists",
    "company_names",
    "company_person",
    "company_push_subscriptions",
    "confirmed_people",
    "delete_push_subscription",
    "guests_to_delete",
    "is_guest",
    "lock_company",
    "lock_guest",
    "log_operator_act",
    "owned_company",
    "people_of",
    "resume_company",
    "schedule_company_deletion",
    "schedule_guest_deletion",
    "search_companies",
    "signing_email_recipients",
    "suspend_company",
    "unschedule_company_deletion",
]
