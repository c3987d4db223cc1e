"""Runs the server of a company, which receives webhooks on a local port with HTTPS."""

import asyncio
import base64
import hashlib
import hmac
import json
import socket
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cairn.kit import frozen_dataclass
from tests.external.serving import serve
from tests.waiting import PATIENCE_SECONDS

HOST = "hooks.rio.example"


@frozen_dataclass
class ReceivedWebhook:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def payload(self) -> dict[str, Any]:
        payload: dict[str, Any] = json.loads(self.body)
        return payload

    def is_signed_with(self, secret: str) -> bool:
        """Checks the signature by the Standard Webhooks specification, without using the code under test."""
        key = base64.b64decode(secret.split("_", 1)[1])
        content = b".".join(
            [self.headers["webhook-id"].encode(), self.headers["webhook-timestamp"].encode(), self.body]
        )
        expected = base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()
        return any(part == f"v1,{expected}" for part in self.headers.get("webhook-signature", "").split(" "))


@dataclass(slots=True)
class WebhookReceiver:
    """Responds with the next of `responses`, or with `default_status` if there is none.

    A response of None means that the server does not respond at all.
    """

    port: int = 0
    host: str = HOST
    webhooks: list[ReceivedWebhook] = field(default_factory=list)
    responses: deque[Response | int | None] = field(default_factory=deque)
    default_status: int = 200
    arrival: asyncio.Event = field(default_factory=asyncio.Event)
    closing: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return self.url_of("/hook")

    def url_of(self, path: str) -> str:
        return f"https://{self.host}:{self.port}{path}"

    async def receive(self, request: Request) -> Response:
        self.webhooks.append(ReceivedWebhook(request.url.path, dict(request.headers), await request.body()))
        self.arrival.set()
        response = self.responses.popleft() if self.responses else self.default_status
        if response is None:
            await self.closing.wait()
            return Response(status_code=200)
        return response if isinstance(response, Response) else Response(status_code=response)

    async def wait_for_webhooks(self, count: int, timeout_seconds: float = PATIENCE_SECONDS) -> list[ReceivedWebhook]:
        async with asyncio.timeout(timeout_seconds):
            while len(self.webhooks) < count:
                self.arrival.clear()
                await self.arrival.wait()
        return self.webhooks


def webhook_environment(receiver: WebhookReceiver, certificate: Path) -> dict[str, str]:
    """Returns the settings with which a server sends its webhooks, including those to Zapier, to `receiver`."""
    return {
        "CAIRN_INTEGRATIONS__ALLOWED_NETWORKS": '["127.0.0.0/8"]',
        "CAIRN_INTEGRATIONS__CA_FILE": str(certificate),
        "CAIRN_INTEGRATIONS__ZAPIER_URL": receiver.url_of(""),
    }


@asynccontextmanager
async def running_receiver(certificate: Path, host: str = HOST) -> AsyncIterator[WebhookReceiver]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        receiver = WebhookReceiver(listener.getsockname()[1], host)
        app = Starlette(routes=[Route("/{path:path}", receiver.receive, methods=["POST", "GET"])])
        async with serve(app, listener, certificate):
            try:
                yield receiver
            finally:
                receiver.closing.set()
