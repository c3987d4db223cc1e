"""The emails about the deletion of a company."""

from datetime import datetime
from uuid import UUID, uuid5

from cairn.accounts import EmailRecipient
from cairn.messaging import Email, email_body, greeting
from cairn.translations import Text, spoken_date, text

# The person who requested the deletion, or decided to keep the company. The texts are used to begin a sentence.
OWNER = text("The owner of {company}")
OPERATOR = text("The operator of this service")
_YOUR_COMPANY = text("your company")
_CAPITALIZED_YOUR_COMPANY = text("Your company")
_KEEP = text("Keep my company")
_MANAGE_BILLING = text("Manage billing")
_REQUESTED_SUBJECT = text("{company} will be deleted on {day}")
_REQUESTED = text(
    "{requested_by} asked us to delete the account of {company}. We will do that on {day}. Until then everything works"
    " as before, but the plan is not renewed. On that day all waivers, templates, settings and accounts of the company"
    " are deleted for good."
)
_IF_MISTAKEN = text("If this is a mistake, the owner can sign in before that day and choose Keep my company:")
_KEPT_SUBJECT = text("{company} will not be deleted")
_KEPT = text(
    "{decided_by} decided to keep {company}, so nothing is deleted. A paid plan still ends with the current period. To"
    " renew it, choose Manage billing:"
)
_DELETED_SUBJECT = text("{company} is deleted")
_DELETED = text(
    "As requested, we are deleting {company} now, with all waivers, templates, settings and accounts. What stays are"
    " invoices and the hashes with which an exported waiver can still be verified."
)


def company_requested_email(
    person: EmailRecipient, company: str, requested_by: Text, *, delete_at: datetime, now: datetime, site_url: str
) -> Email:
    day = spoken_date(delete_at, person.time_zone)
    return Email(
        id=uuid5(person.id, f"company deletion requested {now.isoformat()}"),
        recipient=person.email,
        subject=_REQUESTED_SUBJECT.format(company=_capitalized(company), day=day),
        body=email_body(
            greeting(person.name),
            _REQUESTED.format(
                requested_by=requested_by.format(company=_named(company)), company=_named(company), day=day
            ),
            str(_IF_MISTAKEN),
            f"{site_url}/dashboard/profile",
        ),
        action=str(_KEEP),
    )


def company_kept_email(person: EmailRecipient, company: str, decided_by: Text, now: datetime, site_url: str) -> Email:
    return Email(
        id=uuid5(person.id, f"company kept {now.isoformat()}"),
        recipient=person.email,
        subject=_KEPT_SUBJECT.format(company=_capitalized(company)),
        body=email_body(
            greeting(person.name),
            _KEPT.format(decided_by=decided_by.format(company=_named(company)), company=_named(company)),
            f"{site_url}/dashboard/settings/billing",
        ),
        action=str(_MANAGE_BILLING),
    )


def company_deleted_email(person: EmailRecipient, company: str) -> Email:
    return Email(
        id=company_deleted_email_id(person.id),
        recipient=person.email,
        subject=_DELETED_SUBJECT.format(company=_capitalized(company)),
        body=email_body(greeting(person.name), _DELETED.format(company=_named(company))),
    )


def company_deleted_email_id(user_id: UUID) -> UUID:
    return uuid5(user_id, "company deleted")


def _named(company: str) -> str:
    return company or str(_YOUR_COMPANY)


def _capitalized(company: str) -> str:
    return company or str(_CAPITALIZED_YOUR_COMPANY)
