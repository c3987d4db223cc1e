"""Runs a fake push service on a local port, and contains browsers that subscribe to it and decrypt its messages."""

import base64
import json
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import http_ece  # This library is independent of our own implementation of the encryption.
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc import jwt
from joserfc.jwk import ECKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cairn.kit import frozen_dataclass
from cairn.messaging import PushSettings, Subscription
from tests.external.serving import serve
from tests.running_worker import push_settings


@dataclass(slots=True)
class Browser:
    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def subscription(self) -> Subscription:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return Subscription(self.endpoint, _base64url(point), _base64url(self.secret))

    def decrypt(self, body: bytes) -> dict[str, Any]:
        text = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        payload: dict[str, Any] = json.loads(text)
        return payload


@frozen_dataclass
class PushRequest:
    path: str
    headers: dict[str, str]
    body: bytes

    def claims(self) -> dict[str, Any]:
        """Verifies the claims of the sender with the key in the same header, and returns them."""
        scheme, _, parts = self.headers["authorization"].partition(" ")
        assert scheme == "vapid"
        parameters = dict(part.strip().split("=", 1) for part in parts.split(","))
        public_key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decode_base64url(parameters["k"]))
        pem = public_key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        return dict(jwt.decode(parameters["t"], ECKey.import_key(pem), algorithms=["ES256"]).claims)


@dataclass(slots=True)
class PushService:
    url: str = ""
    requests: list[PushRequest] = field(default_factory=list)
    # This maps the name of a browser to the HTTP status of the response. Other browsers get 201.
    statuses: dict[str, int] = field(default_factory=dict)

    @property
    def settings(self) -> PushSettings:
        return push_settings(services=(self.url,))

    def browser(self, name: str) -> Browser:
        return Browser(f"{self.url}/send/{name}")

    async def receive(self, request: Request) -> Response:
        self.requests.append(PushRequest(request.url.path, dict(request.headers), await request.body()))
        return Response(status_code=self.statuses.get(request.path_params["name"], 201))


@asynccontextmanager
async def open_push_service() -> AsyncIterator[PushService]:
    service = PushService()
    app = Starlette(routes=[Route("/send/{name}", service.receive, methods=["POST"])])
    with socket.create_server(("127.0.0.1", 0)) as listener:
        service.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        async with serve(app, listener):
            yield service


def _base64url(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def _decode_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
