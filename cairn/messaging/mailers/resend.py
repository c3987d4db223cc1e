"""Sends email through Resend with the company's API key."""

import base64
from email.utils import formataddr
from typing import Any

from cairn.messaging.configuration import Configuration
from cairn.messaging.email import Email, Receipt
from cairn.messaging.errors import MailUnanswered
from cairn.messaging.failure_reasons import no_response
from cairn.messaging.mailers.http_provider import ProviderApi, json_object, problem_for_status
from cairn.messaging.render_email import extra_headers, html, plain_text
from cairn.messaging.settings import MessagingSettings


class ResendMailer:
    def __init__(self, configuration: Configuration, settings: MessagingSettings) -> None:
        self._api = ProviderApi("Resend", f"{settings.resend_url.rstrip('/')}/emails", configuration.api_key)
        self._sender = configuration.sender_email or settings.sender

    async def send(self, email: Email) -> Receipt:
        # Resend sends an email only once per idempotency key.
        headers = {"Idempotency-Key": str(email.id)}
        response = await self._api.post(self._body(email), headers)
        body = json_object(response)
        if response.is_error or body.get("error"):
            raise problem_for_status(response.status_code, _error_message(body))
        if not body.get("id"):
            raise MailUnanswered(reason=no_response())
        return Receipt("delivered", str(body["id"]))

    def _body(self, email: Email) -> dict[str, Any]:
        body: dict[str, Any] = {
            "from": formataddr((email.from_name, self._sender)),
            "to": [email.recipient],
            "subject": email.subject,
            "html": html(email),
            "text": plain_text(email),
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


def _error_message(body: dict[str, Any]) -> str | None:
    error = body.get("error")
    message = error.get("message") if isinstance(error, dict) else error or body.get("message")
    return message if isinstance(message, str) else None
