"""Sends email through SendGrid with the company's API key."""

import base64
from typing import Any

from cairn.messaging.configuration import Configuration
from cairn.messaging.email import Email, Receipt
from cairn.messaging.errors import MailUnanswered
from cairn.messaging.failure_reasons import no_response
from cairn.messaging.mailers.http_provider import ProviderApi, json_object, problem_for_status
from cairn.messaging.render_email import extra_headers, html, plain_text
from cairn.messaging.settings import MessagingSettings


class SendgridMailer:
    def __init__(self, configuration: Configuration, settings: MessagingSettings) -> None:
        url = f"{settings.sendgrid_url.rstrip('/')}/v3/mail/send"
        self._api = ProviderApi("SendGrid", url, configuration.api_key)
        self._sender = configuration.sender_email or settings.sender

    async def send(self, email: Email) -> Receipt:
        response = await self._api.post(self._body(email))
        if response.is_error:
            raise problem_for_status(response.status_code, _error_message(json_object(response)))
        # SendGrid responds with an empty body; the id is in a header.
        message_id = response.headers.get("x-message-id")
        if not message_id:
            # SendGrid may have accepted the email, so one that must not arrive twice is not retried.
            raise MailUnanswered(reason=no_response())
        return Receipt("delivered", message_id)

    def _body(self, email: Email) -> dict[str, Any]:
        body: dict[str, Any] = {
            "personalizations": [{"to": [{"email": email.recipient}]}],
            "from": {"email": self._sender, "name": email.from_name},
            "subject": email.subject,
            "content": [
                {"type": "text/plain", "value": plain_text(email)},
                {"type": "text/html", "value": html(email)},
            ],
            "headers": extra_headers(email),
            # Click tracking would replace each link by a redirect through SendGrid, which would then know the signing
            # link. Anyone who knows that link can open the waiver.
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


def _error_message(body: dict[str, Any]) -> str | None:
    errors = body.get("errors")
    if not isinstance(errors, list):
        return None
    messages = [error.get("message") for error in errors if isinstance(error, dict)]
    return "; ".join(message for message in messages if isinstance(message, str)) or None
