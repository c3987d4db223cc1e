"""Generated requests to every endpoint of every service cause no server error, and no secret appears anywhere.

The endpoints come from docs/contract.md, which lists every route, and from the OpenAPI document of the REST service. A
fixed seed makes the requests the same in every run.
"""

import asyncio
import json
import logging
import random
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
import pytest_asyncio

from cairn.db import Database
from cairn.kit import frozen_dataclass
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, png, sign
from tests.people import Person
from tests.whole_app import WholeApp, whole_app

ENDPOINT = re.compile(r"`(?P<method>GET|HEAD|POST|PUT|PATCH|DELETE) (?P<path>/[^`]*)`")
TRACEBACK = re.compile(r'Traceback \(most recent call last\)|File "[^"]+\.py", line \d+')
PASSWORD = "a password that must not be logged"
NOT_READY = (
    '{"status":"failing","checks":'
    '{"database":"ok","schema":"ok","worker":"no worker is running","queue":"ok","files":"ok"}}'
)
"""The only expected response with a status of 500 or more, because no worker is running in this test."""

CONCURRENT_REQUESTS = 8
NETWORK_COUNT = 100
"""The requests come from many networks, so that rate limits refuse only few of them."""

ODD_TEXTS = [
    "", " ", "\x00", "\x01\x0b", "\ud800", "\ufffe", "\u202e", "é\U0001f6f6", "a" * 3000, "٣", "NaN", "-0", "1e999",
    "null", "true", "{}", "[]", "'", '"', "\\", "%", "%00", "../../etc/passwd", "a/b", "<script>", "${x}",
    "a\r\nb: c", "99999999999999999999", "-1", "0", "2026-13-45", "infinity", "eq.1", "in.(1,2)", "not.is.null", "*",
    "id", "count()",
]  # fmt: skip
FIELDS = [
    "email", "password", "phone", "token", "token_hash", "type", "code", "data", "nonce", "refresh_token",
    "auth_code", "code_verifier", "code_challenge", "code_challenge_method", "create_user", "provider", "id_token",
    "factor_type", "friendly_name", "challenge_id", "domain", "metadata_xml", "app_metadata", "user_metadata",
    "ban_duration", "role", "redirect_to", "scope", "gotrue_meta_security", "waiver_id", "session_id", "sessionId",
    "template_id", "to", "subject", "body", "attachmentType", "message", "url", "name", "events", "id", "delivery",
    "plan", "amount", "apiKey", "senderEmail", "customEndpoint", "description", "price", "currency", "hash", "pdf",
    "public", "file_size_limit", "allowed_mime_types", "prefix", "limit", "offset", "sortBy", "search", "expiresIn",
    "paths", "prefixes", "bucketId", "sourceKey", "destinationKey", "messages", "topic", "event", "payload",
    "private",
]  # fmt: skip
PARAMETERS = [
    "select", "order", "limit", "offset", "and", "or", "columns", "on_conflict", "id", "company_id", "grant_type",
    "redirect_to", "token", "type", "code", "state", "provider", "scope", "page", "per_page", "width", "height",
    "quality", "resize", "format", "download", "company", "private", "apikey", "error", "SAMLRequest",
]  # fmt: skip
HEADERS = {
    "prefer": [
        "count=planned",
        "return=representation",
        "resolution=merge-duplicates",
        "handling=strict, x=y",
        "timezone=X",
    ],
    "range": ["0-4", "bytes=0-1", "bytes=-5", "9-", "x"],
    "accept": ["text/csv", "application/vnd.pgrst.object+json", "image/webp", "*/*", "application/geo+json", "x/y"],
    "content-type": ["application/json", "text/csv", "application/x-www-form-urlencoded", "multipart/form-data", "x"],
    "accept-profile": ["public", "auth", "x"],
    "x-upsert": ["true", "x"],
    "upload-length": ["5", "-1", "x"],
    "upload-offset": ["0", "x"],
    "tus-resumable": ["1.0.0", "x"],
    "upload-metadata": ["bucketName cHJvZmlsZS1waWN0dXJlcw==,objectName YQ==", "x"],
    "cookie": ["a=b", "\x7f"],
    "host": ["evil.example", "a b"],
    "x-supabase-api-version": ["2024-01-01", "x"],
}


@frozen_dataclass
class FuzzedApp:
    whole: WholeApp
    endpoints: tuple[tuple[str, str], ...]
    tokens: tuple[str, ...]
    values: tuple[str, ...]
    """Ids and names that exist, so that some of the generated requests succeed."""

    log_secrets: tuple[str, ...]
    """Texts that no log line may contain, in addition to the secrets of the server."""


@pytest_asyncio.fixture
async def fuzzed_app(
    login_url: str, database: Database, tmp_path: Path, root: Path, rosa: Person, gil: Person, mallory: Person
) -> AsyncIterator[FuzzedApp]:
    session = await make_session(database, rosa)
    waiver = (await sign(database, await make_session(database, rosa)))["id"]
    async with whole_app(login_url, tmp_path / "data") as whole:
        async with whole.client() as http:
            keys = {"apikey": whole.keyring.service_key, "Authorization": f"Bearer {whole.keyring.service_key}"}
            openapi = (await http.get("/rest/v1/", headers=keys)).json()
            new_account = {"email": "fuzz@example.com", "password": PASSWORD}
            signed_up = (await http.post("/auth/v1/signup", headers=keys, json=new_account)).json()
        people = [whole.token(person) for person in (rosa, gil, mallory)]
        ids = (session, waiver, rosa.id, rosa.company, gil.id)
        yield FuzzedApp(
            whole,
            tuple(_endpoints(root, openapi)),
            ("", whole.keyring.anon_key, whole.keyring.service_key, "x.y.z", signed_up["access_token"], *people),
            (*map(str, ids), SAMPLE_TEMPLATE_ID, "signed-waivers", "profile-pictures", "fuzz@example.com"),
            (PASSWORD, signed_up["access_token"], signed_up["refresh_token"], *people),
        )


def documented_endpoints(root: Path) -> Iterator[tuple[str, str]]:
    """Yields the method and the path of each endpoint in docs/contract.md."""
    contract = (root / "docs" / "contract.md").read_text("utf-8")
    for match in ENDPOINT.finditer(contract):
        yield match["method"], match["path"].partition("?")[0]


def _endpoints(root: Path, openapi: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield from documented_endpoints(root)
    for path, methods in openapi["paths"].items():
        for method in methods:
            if method != "parameters":
                yield method.upper(), f"/rest/v1{path}"


REQUEST_COUNTS = [1_000, pytest.param(20_000, marks=pytest.mark.slow)]


@pytest.mark.parametrize("request_count", REQUEST_COUNTS)
@pytest.mark.accept("SAFE-28")
async def test_generated_requests_cause_no_server_error(
    fuzzed_app: FuzzedApp, request_count: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    failures: list[str] = []
    statuses: dict[int, int] = {}
    numbers = iter(range(request_count))
    secrets = _secrets(fuzzed_app)

    async def send_requests() -> None:
        for number in numbers:
            request = _request(fuzzed_app, number)
            transport = httpx.ASGITransport(
                app=fuzzed_app.whole.app, raise_app_exceptions=False, client=(f"198.51.{number % NETWORK_COUNT}.7", 1)
            )
            response = await transport.handle_async_request(request)
            text = (await response.aread()).decode("utf-8", "replace")
            statuses[response.status_code] = statuses.get(response.status_code, 0) + 1
            is_not_ready = request.url.path == "/health/ready" and text in ("", NOT_READY)
            failed = response.status_code >= 500 and not is_not_ready
            if failed or TRACEBACK.search(text) or any(secret in text for secret in secrets):
                failures.append(f"{number}: {request.method} {request.url} -> {response.status_code} {text[:300]}")

    await asyncio.gather(*(send_requests() for _ in range(CONCURRENT_REQUESTS)))

    assert failures == []
    logged = "\n".join(f"{record.getMessage()} {record.exc_text or ''}" for record in caplog.records)
    assert [secret for secret in (*secrets, *fuzzed_app.log_secrets) if secret in logged] == []
    assert sum(statuses.values()) == request_count
    # The test would prove little if most requests were refused for the same reason.
    assert sum(count for status, count in statuses.items() if status < 300) > request_count / 20, statuses


def _secrets(fuzzed_app: FuzzedApp) -> list[str]:
    settings = fuzzed_app.whole.settings
    return [
        settings.auth.jwt_secret.get_secret_value(),
        settings.database.login_password.get_secret_value(),
        settings.storage.sealing_key.get_secret_value(),
        fuzzed_app.whole.keyring.service_key,
    ]


def _request(fuzzed_app: FuzzedApp, number: int) -> httpx.Request:
    dice = random.Random(number)  # noqa: S311  (a fixed seed gives the same requests every time)
    method, path = dice.choice(fuzzed_app.endpoints)
    if dice.random() < 0.05:
        method = dice.choice(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
    path = re.sub(r"\{[^}]+\}", lambda _: quote(_value(dice, fuzzed_app), safe="", errors="replace"), path)
    query = "&".join(
        f"{dice.choice(PARAMETERS)}={quote(_value(dice, fuzzed_app), safe='', errors='replace')}"
        for _ in range(dice.choice([0, 0, 1, 2, 4]))
    )
    token = dice.choice(fuzzed_app.tokens)
    key = fuzzed_app.whole.keyring.anon_key
    headers = {"apikey": key, "authorization": f"Bearer {token}"} if token else {"apikey": key}
    for name in dice.sample(sorted(HEADERS), dice.choice([0, 0, 1, 3])):
        headers[name] = dice.choice(HEADERS[name])
    content = _body(dice, fuzzed_app) if method not in ("GET", "HEAD") else b""
    if content[:1] in (b"{", b"["):
        headers.setdefault("content-type", "application/json")
    return httpx.Request(method, f"http://127.0.0.1:8000{path}?{query}", headers=headers, content=content)


def _body(dice: random.Random, fuzzed_app: FuzzedApp) -> bytes:
    kind = dice.random()
    if kind < 0.1:
        return dice.choice(
            [b"", b"{", b"\xff\xfe", b"[" * 2000, b"null", b'"x"', png(), b"%PDF-1.7\n", dice.randbytes(50)]
        )
    if kind < 0.2:
        return b"&".join(
            f"{field}={quote(_value(dice, fuzzed_app), errors='replace')}".encode() for field in dice.sample(FIELDS, 3)
        )
    rows = [_json_object(dice, fuzzed_app) for _ in range(dice.choice([1, 1, 1, 2]))]
    return json.dumps(rows[0] if len(rows) == 1 else rows).encode()


def _json_object(dice: random.Random, fuzzed_app: FuzzedApp) -> dict[str, Any]:
    fields = dice.sample(FIELDS, dice.choice([0, 1, 3, 8, 20]))
    # Only bodies contain the password, because paths may be logged.
    return {field: PASSWORD if dice.random() < 0.1 else _json_value(dice, fuzzed_app) for field in fields}


def _json_value(dice: random.Random, fuzzed_app: FuzzedApp) -> Any:
    kind = dice.random()
    if kind < 0.7:
        return _value(dice, fuzzed_app)
    if kind < 0.9:
        return dice.choice([None, True, False, 0, -1, 1.5, 2**40, 10**30, [], {}])
    return dice.choice([[_value(dice, fuzzed_app)], {dice.choice(FIELDS): _value(dice, fuzzed_app)}])


def _value(dice: random.Random, fuzzed_app: FuzzedApp) -> str:
    return dice.choice(fuzzed_app.values if dice.random() < 0.5 else ODD_TEXTS)
