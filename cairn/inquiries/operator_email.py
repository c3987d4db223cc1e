"""Builds the email that notifies the operator of an inquiry."""

from uuid import UUID

from cairn.inquiries.form import Inquiry
from cairn.messaging import Email

_SUBJECTS = {"contact": "Message from {name}", "demo": "{name} asks for a demo", "support": "Support: {subject}"}


def operator_email(email_id: UUID, inquiry_id: UUID, inquiry: Inquiry, operator: str) -> Email:
    """Returns the email. A reply to it is sent to the author of the inquiry."""
    fields = [
        ("Name", inquiry.name),
        ("Email", inquiry.email),
        ("Business", inquiry.company),
        ("Phone", inquiry.phone),
        ("Waiver", inquiry.waiver),
    ]
    lines = "\n".join(f"{label}: {value}" for label, value in fields if value)
    body = "\n\n".join(part for part in (lines, inquiry.message, f"Stored as {inquiry_id}.") if part)
    return Email(
        id=email_id,
        recipient=operator,
        subject=_SUBJECTS[inquiry.kind].format(name=inquiry.name, subject=inquiry.subject),
        body=body,
        reply_to=inquiry.email,
    )
