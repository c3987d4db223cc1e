"""The texts of a reminder: the email and the text message."""

from dataclasses import replace
from uuid import uuid5

from cairn.messaging import Email, GuestText, email_body, greeting, neutral_name, with_sender_name, without_links
from cairn.translations import spoken_date, text
from cairn.waivers.neutral_names import neutral_template_name
from cairn.waivers.reminders.stop_page import STOP_PATH
from cairn.waivers.reminders.store import Reminder
from cairn.waivers.text_invitation import signing_link

_SUBJECT = text("Reminder: please sign {template_name}")
_WAITING = text(
    '{company_name} is still waiting for your signature on the waiver "{template_name}". It takes a minute, on any'
    " device:"
)
_CLOSING = text("You do not need an account. The link is valid until {day}.")
_ACTION = text("Review and sign")
_UNNAMED_COMPANY = text("The company that invited you")
_TEXT = text("your waiver is still waiting for your signature {link}")


def with_neutral_names(reminder: Reminder) -> Reminder:
    """Returns the reminder for a company that has not confirmed its address."""
    return replace(
        reminder,
        template_name=neutral_template_name(reminder.template_name, is_sample_name=reminder.has_sample_name),
        recipient_name=neutral_name(reminder.recipient_name or "", ""),
        company_name=neutral_name(reminder.company_name, str(_UNNAMED_COMPANY)),
    )


def reminder_email(reminder: Reminder, site_url: str) -> Email:
    # A company that has not confirmed its address must not send links of its own in a name.
    template_name = without_links(reminder.template_name)
    return Email(
        id=reminder.id,
        recipient=reminder.recipient_email,
        subject=_SUBJECT.format(template_name=template_name),
        body=email_body(
            greeting(reminder.recipient_name),
            _WAITING.format(company_name=without_links(reminder.company_name), template_name=template_name),
            signing_link(site_url, reminder.session_id),
            _CLOSING.format(day=spoken_date(reminder.expires_at, reminder.time_zone)),
        ),
        action=str(_ACTION),
        sender_name=" ".join(reminder.company_name.split()),
        unsubscribe_url=f"{site_url}{STOP_PATH}/{reminder.id}",
    )


def reminder_text(reminder: Reminder, recipient: str, site_url: str) -> GuestText:
    text = _TEXT.format(link=signing_link(site_url, reminder.session_id))
    return GuestText(
        # Derived from the reminder's id, so that a retried job writes it only once.
        id=uuid5(reminder.id, "as a text message"),
        recipient=recipient,
        body=with_sender_name(reminder.company_name, text),
        company_id=reminder.company_id,
        session_id=reminder.session_id,
        kind="reminder",
    )
