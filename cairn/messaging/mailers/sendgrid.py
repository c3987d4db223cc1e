"""Mail through SendGrid, with the company's own key."""

import base64
from typing import Any

from cairn.messaging.configuration import Configuration
from cairn.messaging.email import Email, Receipt
from cairn.messaging.errors import MailMisconfigured, MailNotSent
from cairn.messaging.mailers.http_provider import content, post, refusal
from cairn.messaging.render_email import extra_headers, html, text
from cairn.messaging.settings import MessagingSettings


class SendgridMailer:
    def __init__(self, configuration: Configuration, settings: MessagingSettings) -> None:
        self._key = configuration.api_key
        self._sender = configuration.sender_email or settings.sender
        self._url = f"{settings.sendgrid_url.rstrip('/')}/v3/mail/send"

    async def send(self, email: Email) -> Receipt:
        if not self._key:
            raise MailMisconfigured(reason="SendGrid API key not configured")
        answer = await post("SendGrid", self._url, self._key, self._body(email))
        if answer.is_error:
            raise refusal(answer.status_code, _words(content(answer)))
        # The body is empty by SendGrid's own contract; the id travels in a header.
        message_id = answer.headers.get("x-message-id")
        if not message_id:
            raise MailNotSent(reason="No response data from email service")
        return Receipt("delivered", message_id)

    def _body(self, email: Email) -> dict[str, Any]:
        body: dict[str, Any] = {
            "personalizations": [{"to": [{"email": email.recipient}]}],
            "from": {"email": self._sender, "name": email.sender_name or "Cairn"},
            "subject": email.subject,
            "content": [
                {"type": "text/plain", "value": text(email)},
                {"type": "text/html", "value": html(email)},
            ],
            "headers": extra_headers(email),
            # A signing link is a key, and leads where it says.
            "tracking_settings": {"click_tracking": {"enable": False}, "open_tracking": {"enable": False}},
        }
        if email.reply_to:
            body["reply_to"] = {"email": email.reply_to}
        if email.attachment:
            body["attachments"] = [
                {
                    "filename": email.attachment.name,
                    "type": email.attachment.media_type,
                    "content": base64.b64encode(email.attachment.content).decode(),
                    "disposition": "attachment",
                }
            ]
        return body


def _words(told: dict[str, Any]) -> str | None:
    errors = told.get("errors")
    if not isinstance(errors, list):
        return None
    words = [error["message"] for error in errors if isinstance(error, dict) and isinstance(error.get("message"), str)]
    return "; ".join(words) or None
