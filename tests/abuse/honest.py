"""An honest guest who uses the service from another network while it is attacked."""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar
from uuid import uuid4

import httpx

from cairn.kit import frozen_dataclass
from tests.factories import SAMPLE_TEMPLATE_ID, signature_data_url
from tests.serving import RunningServer

Result = TypeVar("Result")
# Linux routes all of 127.0.0.0/8 to the loopback device, so each source address counts as a network of its own.
ATTACKER_ADDRESS = "127.0.0.2"
HONEST_ADDRESS = "127.0.0.3"
_MAX_VISIT_SECONDS = 10.0
# Each request opens a new connection, because the server may close an idle one at the moment of the next request.
_NO_KEEP_ALIVE = httpx.Limits(max_connections=100, max_keepalive_connections=0)
# All clients share this context, because loading the certificates takes longer than a request.
_TLS = ssl.create_default_context()


def client_from(server: RunningServer, address: str, *, token: str | None = None) -> httpx.AsyncClient:
    transport = httpx.AsyncHTTPTransport(local_address=address, limits=_NO_KEEP_ALIVE, verify=_TLS)
    headers = {"apikey": server.anon_key, "Authorization": f"Bearer {token or server.anon_key}"}
    return httpx.AsyncClient(base_url=server.url, transport=transport, headers=headers, timeout=30)


@frozen_dataclass
class Account:
    token: str
    user_id: str


async def sign_up(server: RunningServer, email: str) -> Account:
    async with client_from(server, HONEST_ADDRESS) as client:
        account = {"email": email, "password": "seven rivers and a lake", "data": {"name": "Rosa"}}
        response = (await client.post("/auth/v1/signup", json=account)).raise_for_status()
        return Account(response.json()["access_token"], response.json()["user"]["id"])


async def open_session(client: httpx.AsyncClient, template_id: str = SAMPLE_TEMPLATE_ID) -> str:
    row = {"id": str(uuid4()), "template_id": template_id}
    (await client.post("/rest/v1/waiver_sessions", json=row)).raise_for_status()
    return row["id"]


def waiver_row(session_id: str, *, email: str = "gil@example.com", signature: str | None = None) -> dict[str, str]:
    return {
        "id": str(uuid4()),
        "session_id": session_id,
        "signer_name": "Gil Okafor",
        "signer_email": email,
        "signature": signature or signature_data_url(),
    }


async def sign(client: httpx.AsyncClient, session_id: str, *, signature: str | None = None) -> httpx.Response:
    return await insert_waiver(client, waiver_row(session_id, signature=signature))


async def insert_waiver(client: httpx.AsyncClient, waiver: dict[str, str]) -> httpx.Response:
    return await client.post("/rest/v1/signed_waivers", json=waiver, headers={"Prefer": "return=minimal"})


@asynccontextmanager
async def honest_visits(server: RunningServer, *, at_least: int = 1) -> AsyncIterator[None]:
    """During the `with` block a guest signs and reads the health of the service again and again.

    Fails if one of the requests fails or one of the visits takes too long.
    """
    async with client_from(server, HONEST_ADDRESS) as client:

        async def visit() -> float:
            started_at = time.monotonic()
            (await client.get("/auth/v1/health")).raise_for_status()
            (await sign(client, await open_session(client))).raise_for_status()
            seconds = time.monotonic() - started_at
            await asyncio.sleep(0.2)
            return seconds

        await visit()
        async with repeating(visit, at_least=at_least) as visit_seconds:
            yield
    assert max(visit_seconds) < _MAX_VISIT_SECONDS


@asynccontextmanager
async def repeating(call: Callable[[], Awaitable[Result]], *, at_least: int = 1) -> AsyncIterator[list[Result]]:
    """Repeats the call until the `with` block ends, but makes at least `at_least` calls. Yields the list of results.

    Fails if a call fails.
    """
    results: list[Result] = []
    has_ended = asyncio.Event()

    async def call_until_the_end() -> None:
        while len(results) < at_least or not has_ended.is_set():
            results.append(await call())

    task = asyncio.create_task(call_until_the_end())
    try:
        yield results
    finally:
        has_ended.set()
        await task
