"""Sends email through an HTTPS endpoint of the company."""

import asyncio
import base64
import json
from typing import Any

import httpx

from cairn.kit import (
    Endpoint,
    EndpointNotAllowed,
    PostResponse,
    Resolve,
    check_endpoint,
    clean_text,
    create_ssl_context,
    post_to,
    resolve_host,
)
from cairn.messaging.configuration import Configuration
from cairn.messaging.email import Email, Receipt
from cairn.messaging.errors import MailMisconfigured, MailNotSent
from cairn.messaging.failure_reasons import ENDPOINT_NOT_CONFIGURED, endpoint_not_usable, no_response
from cairn.messaging.mailers.http_provider import json_object, problem_for_status, unreachable_problem
from cairn.messaging.render_email import plain_text
from cairn.messaging.settings import MessagingSettings


class CustomMailer:
    def __init__(
        self, configuration: Configuration, settings: MessagingSettings, resolve: Resolve = resolve_host
    ) -> None:
        self._url = configuration.custom_endpoint
        self._networks = settings.endpoint_networks
        self._timeout_seconds = settings.endpoint_timeout_seconds
        self._resolve = resolve

    async def send(self, email: Email) -> Receipt:
        if not self._url:
            raise MailMisconfigured(reason=ENDPOINT_NOT_CONFIGURED)
        endpoint = await self._check_endpoint(self._url)
        response = await self._post(endpoint, email)
        if not response.is_success:
            raise problem_for_status(response.status)
        body = json_object(httpx.Response(response.status, content=response.body))
        # PostgreSQL cannot store every character that the response of a company may contain.
        return Receipt("delivered", clean_text(str(body.get("id") or email.id))[:200])

    async def _check_endpoint(self, url: str) -> Endpoint:
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await check_endpoint(url, self._networks, self._resolve)
        except EndpointNotAllowed as refused:
            raise MailMisconfigured(reason=endpoint_not_usable(str(refused))) from refused
        except TimeoutError as error:
            raise MailNotSent(reason=no_response("The DNS lookup of the endpoint took too long.")) from error

    async def _post(self, endpoint: Endpoint, email: Email) -> PostResponse:
        headers = {"Content-Type": "application/json", "Idempotency-Key": str(email.id)}
        try:
            return await post_to(
                endpoint,
                json.dumps(_body(email)).encode(),
                headers,
                ssl_context=create_ssl_context(),
                timeout_seconds=self._timeout_seconds,
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
