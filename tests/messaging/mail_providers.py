"""Runs fake mail providers on a local port: Resend, SendGrid and a custom endpoint. They are as strict as real ones."""

import base64
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from uuid import uuid4

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.external.serving import serve

RESEND_KEY = "re_test_key"
SENDGRID_KEY = "SG.test.key"
_MAILBOX = re.compile(r"(.+ )?<?[^<>@\s]+@[^<>@\s]+>?")


@dataclass(slots=True)
class FakeProviders:
    """Adds valid emails to `accepted_emails`. If `response` is set, it is the response to every request."""

    accepted_emails: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    response: Response | None = None
    request_count: int = 0
    # This maps the idempotency key of each accepted email to its id.
    accepted_ids: dict[str, str] = field(default_factory=dict)
    url: str = ""

    def routes(self) -> list[Route]:
        return [
            Route("/emails", self._endpoint(self.resend), methods=["POST"]),
            Route("/v3/mail/send", self._endpoint(self.sendgrid), methods=["POST"]),
            Route("/hook", self._endpoint(self.custom), methods=["POST"]),
        ]

    def _endpoint(self, handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            self.request_count += 1
            return await handler(request) if self.response is None else self.response

        return respond

    async def resend(self, request: Request) -> Response:
        if request.headers.get("authorization") != f"Bearer {RESEND_KEY}":
            return _resend_error(401, "API key is invalid")
        body = await request.json()
        if not _MAILBOX.fullmatch(body["from"]) or not all(_MAILBOX.fullmatch(to) for to in body["to"]):
            return _resend_error(422, "Invalid `to` field.")
        if not {"subject", "html", "text"} <= body.keys():
            return _resend_error(422, "Missing `html` or `text` field.")
        earlier_id = self.accepted_ids.get(request.headers.get("idempotency-key", ""))
        if earlier_id:
            return JSONResponse({"id": earlier_id})
        self._accept(request, body)
        self.accepted_ids[request.headers["idempotency-key"]] = message_id = str(uuid4())
        return JSONResponse({"id": message_id})

    async def sendgrid(self, request: Request) -> Response:
        if request.headers.get("authorization") != f"Bearer {SENDGRID_KEY}":
            return _sendgrid_error(401, "The provided authorization grant is invalid, expired, or revoked")
        body = await request.json()
        if [part["type"] for part in body["content"]] != ["text/plain", "text/html"]:
            return _sendgrid_error(400, "If present, text/plain must be first, followed by text/html.")
        if set(body["headers"]) & {"To", "From", "Subject", "Reply-To", "Content-Type"}:
            return _sendgrid_error(400, "The headers field contains a reserved header.")
        self._accept(request, body)
        return Response(status_code=202, headers={"X-Message-Id": "sg-14c5d75ce93"})

    async def custom(self, request: Request) -> Response:
        self._accept(request, await request.json())
        return JSONResponse({"id": "custom-1"})

    def _accept(self, request: Request, body: dict[str, Any]) -> None:
        for attachment in body.get("attachments", []):
            base64.b64decode(attachment["content"], validate=True)
        self.headers.append(dict(request.headers))
        self.accepted_emails.append(body)


def _resend_error(status: int, message: str) -> Response:
    return JSONResponse({"statusCode": status, "message": message, "name": "validation_error"}, status)


def _sendgrid_error(status: int, message: str) -> Response:
    return JSONResponse({"errors": [{"message": message, "field": None, "help": None}]}, status)


@asynccontextmanager
async def running_providers(certificate: Path | None = None) -> AsyncIterator[FakeProviders]:
    providers = FakeProviders()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        scheme = "https" if certificate else "http"
        providers.url = f"{scheme}://127.0.0.1:{listener.getsockname()[1]}"
        async with serve(Starlette(routes=providers.routes()), listener, certificate):
            yield providers


def certificate_for(host: str, folder: Path) -> Path:
    """Creates a self-signed certificate and returns the file that contains it and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime.now(UTC) - timedelta(hours=1))
        .not_valid_after(datetime.now(UTC) + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([_alternative_name(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{host}.pem"
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path


def _alternative_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)
