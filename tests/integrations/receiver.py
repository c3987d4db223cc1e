"""A company's own server, as a real one on a local port that speaks https and checks what it is sent."""

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

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

HOST = "hooks.rio.example"


@dataclass(frozen=True, slots=True)
class Received:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def payload(self) -> dict[str, Any]:
        payload: dict[str, Any] = json.loads(self.body)
        return payload

    def is_signed_with(self, secret: str) -> bool:
        """By the letter of Standard Webhooks, and with none of the product's own code."""
        key = base64.b64decode(secret.split("_", 1)[1])
        content = b".".join(
            [self.headers["webhook-id"].encode(), self.headers["webhook-timestamp"].encode(), self.body]
        )
        wanted = base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()
        return any(part == f"v1,{wanted}" for part in self.headers.get("webhook-signature", "").split(" "))


@dataclass(slots=True)
class Receiver:
    """Answers what is next in `answers`, or else `otherwise`. A `None` there is no answer at all."""

    port: int = 0
    host: str = HOST
    received: list[Received] = field(default_factory=list)
    answers: deque[Response | int | None] = field(default_factory=deque)
    otherwise: int = 200
    arrival: asyncio.Event = field(default_factory=asyncio.Event)
    closing: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return self.at("/hook")

    def at(self, path: str) -> str:
        return f"https://{self.host}:{self.port}{path}"

    async def take(self, request: Request) -> Response:
        self.received.append(Received(request.url.path, dict(request.headers), await request.body()))
        self.arrival.set()
        answer = self.answers.popleft() if self.answers else self.otherwise
        if answer is None:
            await self.closing.wait()
            return Response(status_code=200)
        return answer if isinstance(answer, Response) else Response(status_code=answer)

    async def wait_for(self, count: int, seconds: float = 15.0) -> list[Received]:
        async with asyncio.timeout(seconds):
            while len(self.received) < count:
                self.arrival.clear()
                await self.arrival.wait()
        return self.received


def webhook_environment(receiver: Receiver, certificate: Path) -> dict[str, str]:
    """What a server needs to be told to reach this one, and to take it for Zapier too."""
    return {
        "CAIRN_INTEGRATIONS__ALLOWED_NETWORKS": '["127.0.0.0/8"]',
        "CAIRN_INTEGRATIONS__CA_FILE": str(certificate),
        "CAIRN_INTEGRATIONS__ZAPIER_URL": receiver.at(""),
    }


@asynccontextmanager
async def receiving(certificate: Path, host: str = HOST) -> AsyncIterator[Receiver]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        receiver = Receiver(listener.getsockname()[1], host)
        config = uvicorn.Config(
            Starlette(routes=[Route("/{path:path}", receiver.take, methods=["POST", "GET"])]),
            log_config=None, lifespan="off", ssl_certfile=certificate, ssl_keyfile=certificate,
            timeout_graceful_shutdown=2,
        )  # fmt: skip
        server = uvicorn.Server(config)
        running = asyncio.create_task(server.serve([listener]))
        try:
            yield receiver
        finally:
            receiver.closing.set()
            server.should_exit = True
            await running
