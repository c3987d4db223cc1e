"""Mail through Resend, with the company's own key."""

import base64
from email.utils import formataddr
from typing import Any

from cairn.messaging.configuration import Configuration
from cairn.messaging.email import Email, Receipt
from cairn.messaging.errors import MailMisconfigured, MailNotSent
from cairn.messaging.mailers.http_provider import content, post, refusal
from cairn.messaging.render_email import extra_headers, html, text
from cairn.messaging.settings import MessagingSettings


class ResendMailer:
    def __init__(self, configuration: Configuration, settings: MessagingSettings) -> None:
        self._key = configuration.api_key
        self._sender = configuration.sender_email or settings.sender
        self._url = f"{settings.resend_url.rstrip('/')}/emails"

    async def send(self, email: Email) -> Receipt:
        if not self._key:
            raise MailMisconfigured(reason="Resend API key not configured")
        # A mail that is asked for twice under one key goes out once.
        headers = {"Idempotency-Key": str(email.id)}
        answer = await post("Resend", self._url, self._key, self._body(email), **headers)
        told = content(answer)
        if answer.is_error or told.get("error"):
            raise refusal(answer.status_code, _words(told))
        if not told.get("id"):
            raise MailNotSent(reason="No response data from email service")
        return Receipt("delivered", str(told["id"]))

    def _body(self, email: Email) -> dict[str, Any]:
        body: dict[str, Any] = {
            "from": formataddr((email.sender_name or "Cairn", self._sender)),
            "to": [email.recipient],
            "subject": email.subject,
            "html": html(email),
            "text": text(email),
            "headers": extra_headers(email),
        }
        if email.reply_to:
            body["reply_to"] = email.reply_to
        if email.attachment:
            body["attachments"] = [
                {
                    "filename": email.attachment.name,
                    "content": base64.b64encode(email.attachment.content).decode(),
                    "content_type": email.attachment.media_type,
                }
            ]
        return body


def _words(told: dict[str, Any]) -> str | None:
    error = told.get("error")
    words = error.get("message") if isinstance(error, dict) else error or told.get("message")
    return words if isinstance(words, str) else None
