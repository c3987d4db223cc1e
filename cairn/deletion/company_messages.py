"""The emails about the deletion of a company."""

from datetime import datetime
from uuid import UUID, uuid5

from cairn.accounts import EmailRecipient
from cairn.messaging import Email
from cairn.translations import Text, text

# Who requested a deletion, or decided to keep the company.
OWNER = text("the owner of {company}")
OPERATOR = text("the operator of this service")
_YOUR_COMPANY = text("your company")
_CAPITALIZED_YOUR_COMPANY = text("Your company")
_KEEP = text("Keep my company")
_MANAGE_BILLING = text("Manage billing")
_REQUESTED_SUBJECT = text("{company} will be deleted on {day}")
_REQUESTED_BODY = text("""\
Hello {name},

{requested_by} requested that the account of {company} is deleted. We will do that on {day}. Until then everything works
as before, but the plan is not renewed. On that day all waivers, templates, settings and accounts of the company are
deleted for good.

If this is a mistake, the owner can sign in before that day and choose Keep my company:

{link}
""")
_KEPT_SUBJECT = text("{company} will not be deleted")
_KEPT_BODY = text("""\
Hello {name},

{decided_by} decided to keep {company}, so nothing is deleted. A paid plan still ends with the current period.
To renew it, choose Manage billing:

{link}
""")
_DELETED_SUBJECT = text("{company} is deleted")
_DELETED_BODY = text("""\
Hello {name},

as requested, we are deleting {company} now, with all waivers, templates, settings and accounts. What stays
are invoices and the hashes with which an exported waiver can still be verified.
""")


def company_requested_email(
    person: EmailRecipient, company: str, requested_by: Text, *, delete_at: datetime, now: datetime, site_url: str
) -> Email:
    day = f"{delete_at:%B} {delete_at.day}, {delete_at.year}"
    return Email(
        id=uuid5(person.id, f"company deletion requested {now.isoformat()}"),
        recipient=person.email,
        subject=_REQUESTED_SUBJECT.format(company=_capitalized(company), day=day),
        body=_REQUESTED_BODY.format(
            name=person.name,
            requested_by=requested_by.format(company=_named(company)),
            company=_named(company),
            day=day,
            link=f"{site_url}/dashboard/profile",
        ),
        action=str(_KEEP),
    )


def company_kept_email(person: EmailRecipient, company: str, decided_by: Text, now: datetime, site_url: str) -> Email:
    return Email(
        id=uuid5(person.id, f"company kept {now.isoformat()}"),
        recipient=person.email,
        subject=_KEPT_SUBJECT.format(company=_capitalized(company)),
        body=_KEPT_BODY.format(
            name=person.name,
            decided_by=decided_by.format(company=_named(company)),
            company=_named(company),
            link=f"{site_url}/dashboard/settings/billing",
        ),
        action=str(_MANAGE_BILLING),
    )


def company_deleted_email(person: EmailRecipient, company: str) -> Email:
    return Email(
        id=company_deleted_email_id(person.id),
        recipient=person.email,
        subject=_DELETED_SUBJECT.format(company=_capitalized(company)),
        body=_DELETED_BODY.format(name=person.name, company=_named(company)),
    )


def company_deleted_email_id(user_id: UUID) -> UUID:
    return uuid5(user_id, "company deleted")


def _named(company: str) -> str:
    return company or str(_YOUR_COMPANY)


def _capitalized(company: str) -> str:
    return company or str(_CAPITALIZED_YOUR_COMPANY)
