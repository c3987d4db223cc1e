"""Mail through an endpoint of the company's own."""

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator
from typing import Any

import certifi
import httpx

from cairn.messaging.configuration import Configuration
from cairn.messaging.email import Email, Receipt
from cairn.messaging.errors import EndpointRefused, MailMisconfigured
from cairn.messaging.letter import text
from cairn.messaging.mailers.answer import TIMEOUT_SECONDS, content, refusal, unreached
from cairn.messaging.mailers.endpoint import Endpoint, Resolve, check_endpoint, look_up
from cairn.messaging.settings import MessagingSettings

# An answer is an id at most; nobody makes us read a film.
_LONGEST_ANSWER = 64 * 1024
_LONGEST_SECONDS = 30.0


class CustomMailer:
    def __init__(self, configuration: Configuration, settings: MessagingSettings, resolve: Resolve = look_up) -> None:
        self._url = configuration.custom_endpoint
        self._networks = settings.endpoint_networks
        self._resolve = resolve

    async def send(self, email: Email) -> Receipt:
        if not self._url:
            raise MailMisconfigured(reason="Custom email endpoint not configured")
        try:
            endpoint = await check_endpoint(self._url, self._networks, self._resolve)
        except EndpointRefused as refused:
            raise MailMisconfigured(reason=str(refused)) from refused
        answer = await _posted(endpoint, email)
        if not answer.is_success:
            raise refusal(answer.status_code)
        return Receipt("delivered", str(content(answer).get("id") or email.id)[:200])


def _body(email: Email) -> dict[str, Any]:
    body: dict[str, Any] = {
        "to": email.recipient,
        "subject": email.subject,
        "body": text(email),
        "attachmentType": email.attachment_type,
    }
    if email.attachment:
        body["attachment"] = {
            "filename": email.attachment.name,
            "contentType": email.attachment.media_type,
            "content": base64.b64encode(email.attachment.content).decode(),
        }
    return body


async def _posted(endpoint: Endpoint, email: Email) -> httpx.Response:
    # Redirects are not followed and no proxy is asked: both would lead to an address nobody has checked.
    try:
        async with (
            asyncio.timeout(_LONGEST_SECONDS),
            httpx.AsyncClient(verify=_trust(), trust_env=False, timeout=TIMEOUT_SECONDS) as client,
            client.stream(**_request(endpoint, email)) as answer,
        ):
            return httpx.Response(answer.status_code, content=await _start(answer.aiter_raw()))
    except (httpx.HTTPError, TimeoutError) as lost:
        raise unreached("The custom email endpoint", lost) from lost


def _request(endpoint: Endpoint, email: Email) -> dict[str, Any]:
    """To the address that was checked, under the name that was asked for: leading elsewhere later changes nothing."""
    asked = httpx.URL(endpoint.url)
    return {
        "method": "POST",
        "url": asked.copy_with(host=endpoint.address),
        "json": _body(email),
        "headers": {
            "Host": asked.netloc.decode(),
            "Idempotency-Key": str(email.id),
            "Accept-Encoding": "identity",
        },
        "extensions": {"sni_hostname": endpoint.host},
    }


async def _start(pieces: AsyncIterator[bytes]) -> bytes:
    read = b""
    async for piece in pieces:
        read += piece
        if len(read) > _LONGEST_ANSWER:
            return b""
    return read


def _trust() -> ssl.SSLContext:
    """The usual authorities, and those the operator's machine trusts besides."""
    context = ssl.create_default_context(cafile=certifi.where())
    context.load_default_certs()
    return context
