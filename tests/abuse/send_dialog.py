"""Writes the invitation that the send dialog of the dashboard writes."""

from uuid import UUID

from cairn.messaging import greeting


def invitation(
    session_id: UUID,
    *,
    template_name: str = "General Liability Waiver",
    recipient_name: str = "Gil Okafor",
    message: str = "",
) -> dict[str, str]:
    """Returns the body of the request with which the dialog calls `send-email`, without the field `to`."""
    paragraphs = [
        greeting(recipient_name),
        message,
        f'Please read and sign the waiver "{template_name}" before your activity. You can do it on any device:',
        f"http://127.0.0.1:8000/waivers/sign/session/{session_id}",
        "You do not need an account.",
    ]
    # The product adds the word Waiver even to a name that ends with it, such as "General Liability Waiver".
    subject = f"Please sign: {template_name} Waiver"
    body = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    return {"sessionId": str(session_id), "subject": subject, "body": body}
