"""Sends email through an HTTPS endpoint of the company."""

import base64
import json
from typing import Any

import httpx

from cairn.kit import (
    Endpoint,
    EndpointRefused,
    PostResponse,
    Resolve,
    check_endpoint,
    create_ssl_context,
    post_to,
    resolve_host,
)
from cairn.messaging.configuration import Configuration
from cairn.messaging.email import Email, Receipt
from cairn.messaging.errors import MailMisconfigured
from cairn.messaging.failure_reasons import ENDPOINT_NOT_CONFIGURED, endpoint_not_usable
from cairn.messaging.mailers.http_provider import TIMEOUT_SECONDS, json_object, problem_for_status, unreachable_problem
from cairn.messaging.render_email import plain_text
from cairn.messaging.settings import MessagingSettings

_TOTAL_SECONDS = 30.0


class CustomMailer:
    def __init__(
        self, configuration: Configuration, settings: MessagingSettings, resolve: Resolve = resolve_host
    ) -> None:
        self._url = configuration.custom_endpoint
        self._networks = settings.endpoint_networks
        self._resolve = resolve

    async def send(self, email: Email) -> Receipt:
        if not self._url:
            raise MailMisconfigured(reason=ENDPOINT_NOT_CONFIGURED)
        try:
            endpoint = await check_endpoint(self._url, self._networks, self._resolve)
        except EndpointRefused as refused:
            raise MailMisconfigured(reason=endpoint_not_usable(str(refused))) from refused
        response = await _post(endpoint, email)
        if not response.is_success:
            raise problem_for_status(response.status)
        body = json_object(httpx.Response(response.status, content=response.body))
        return Receipt("delivered", str(body.get("id") or email.id)[:200])


async def _post(endpoint: Endpoint, email: Email) -> PostResponse:
    headers = {"Content-Type": "application/json", "Idempotency-Key": str(email.id)}
    try:
        return await post_to(
            endpoint,
            json.dumps(_body(email)).encode(),
            headers,
            ssl_context=create_ssl_context(),
            step_timeout_seconds=TIMEOUT_SECONDS,
            total_timeout_seconds=_TOTAL_SECONDS,
        )
    except (httpx.HTTPError, TimeoutError) as error:
        raise unreachable_problem("The custom email endpoint", error) from error


def _body(email: Email) -> dict[str, Any]:
    body: dict[str, Any] = {
        "to": email.recipient,
        "subject": email.subject,
        "body": plain_text(email),
        "attachmentType": email.attachment_type,
    }
    if email.attachment:
        body["attachment"] = {
            "filename": email.attachment.name,
            "contentType": email.attachment.media_type,
            "content": base64.b64encode(email.attachment.content).decode(),
        }
    return body
