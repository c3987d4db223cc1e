"""The emails about the deletion of an account."""

from datetime import datetime
from uuid import UUID, uuid5

from cairn.accounts import Guest
from cairn.messaging import Email, email_body, greeting
from cairn.translations import spoken_date, text

_REQUESTED_SUBJECT = text("Your account will be deleted on {day}")
_REQUESTED = text(
    "You asked us to delete your account. We will do that on {day}. The waivers that you signed stay with the"
    " companies."
)
_CHANGE_OF_MIND = text(
    "If you change your mind, or if it was not you, sign in before that day and choose Keep my account:"
)
_KEEP = text("Keep my account")
_DELETED_SUBJECT = text("Your account is deleted")
_DELETED = text(
    "As you asked, we are deleting your account now, with your profile, your picture, your password, your sign-ins and"
    " our emails to you. The waivers that you signed stay with the companies. You can create a new account at any time."
)


def requested_email(guest: Guest, recipient: str, delete_at: datetime, now: datetime, site_url: str) -> Email:
    day = spoken_date(delete_at)
    return Email(
        id=uuid5(guest.id, f"deletion requested {now.isoformat()}"),
        recipient=recipient,
        subject=_REQUESTED_SUBJECT.format(day=day),
        body=email_body(
            greeting(guest.name), _REQUESTED.format(day=day), str(_CHANGE_OF_MIND), f"{site_url}/guest-dashboard"
        ),
        action=str(_KEEP),
    )


def deleted_email(guest: Guest, recipient: str) -> Email:
    return Email(
        id=deleted_email_id(guest.id),
        recipient=recipient,
        subject=str(_DELETED_SUBJECT),
        body=email_body(greeting(guest.name), str(_DELETED)),
    )


def deleted_email_id(user_id: UUID) -> UUID:
    return uuid5(user_id, "account deleted")
