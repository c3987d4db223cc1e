"""Builds the email that notifies the operator of an inquiry."""

from uuid import UUID

from cairn.inquiries.form import Inquiry
from cairn.messaging import Email, without_links

_SUBJECTS = {"contact": "Message from {name}", "demo": "{name} asks for a demo", "support": "Support: {subject}"}


def operator_email(email_id: UUID, inquiry_id: UUID, inquiry: Inquiry, operator: str) -> Email:
    """Returns the email. A reply to it is sent to the author of the inquiry."""
    fields = [
        ("Name", without_links(inquiry.name)),
        ("Email", inquiry.email),
        ("Business", without_links(inquiry.company)),
        ("Phone", without_links(inquiry.phone)),
        ("Waiver", without_links(inquiry.waiver)),
    ]
    # Visitors type this text, so nothing in it becomes a link. Its lines stay.
    message = "\n".join(without_links(line) for line in inquiry.message.splitlines())
    lines = "\n".join(f"{label}: {value}" for label, value in fields if value)
    body = "\n\n".join(part for part in (lines, message, f"Stored as {inquiry_id}.") if part)
    return Email(
        id=email_id,
        recipient=operator,
        subject=_SUBJECTS[inquiry.kind].format(
            name=without_links(inquiry.name), subject=without_links(inquiry.subject)
        ),
        body=body,
        reply_to=inquiry.email,
    )
