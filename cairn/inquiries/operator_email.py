"""Builds the email that notifies the operator of an inquiry."""

from uuid import UUID

from cairn.inquiries.form import Inquiry
from cairn.messaging import Email, without_links
from cairn.translations import text

_SUBJECTS = {
    "contact": text("Message from {name}"),
    "demo": text("{name} asks for a demo"),
    "support": text("Support: {subject}"),
}
_NAME, _EMAIL, _BUSINESS = text("Name"), text("Email"), text("Business")
_PHONE, _WAIVER = text("Phone"), text("Waiver")
_STORED = text("Stored as {id}.")


def operator_email(email_id: UUID, inquiry_id: UUID, inquiry: Inquiry, operator: str) -> Email:
    """Returns the email. A reply to it is sent to the author of the inquiry."""
    fields = [
        (_NAME, without_links(inquiry.name)),
        (_EMAIL, inquiry.email),
        (_BUSINESS, without_links(inquiry.company)),
        (_PHONE, without_links(inquiry.phone)),
        (_WAIVER, without_links(inquiry.waiver)),
    ]
    # Visitors type this text, so nothing in it becomes a link. Its line breaks stay.
    message = "\n".join(without_links(line) for line in inquiry.message.splitlines())
    lines = "\n".join(f"{label}: {value}" for label, value in fields if value)
    body = "\n\n".join(part for part in (lines, message, _STORED.format(id=inquiry_id)) if part)
    return Email(
        id=email_id,
        recipient=operator,
        subject=_SUBJECTS[inquiry.kind].format(
            name=without_links(inquiry.name), subject=without_links(inquiry.subject)
        ),
        body=body,
        reply_to=inquiry.email,
    )
