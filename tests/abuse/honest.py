"""An honest guest who uses the service from another network while it is attacked."""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import uuid4

import httpx

from cairn.kit import frozen_dataclass
from tests.factories import SAMPLE_TEMPLATE_ID, signature_data_url
from tests.serving import RunningServer

# Linux routes all of 127.0.0.0/8 to the loopback device, so each source address counts as a network of its own.
ATTACKER_ADDRESS = "127.0.0.2"
HONEST_ADDRESS = "127.0.0.3"
_SLOWEST_SECONDS = 10.0
# Each request opens a connection, because the server closes idle ones, maybe at the moment of the next request.
_NO_KEEP_ALIVE = httpx.Limits(max_connections=100, max_keepalive_connections=0)
# All clients share it, because loading the certificates takes longer than a request.
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


async def open_session(client: httpx.AsyncClient) -> str:
    row = {"id": str(uuid4()), "template_id": SAMPLE_TEMPLATE_ID}
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
    row = waiver_row(session_id, signature=signature)
    return await client.post("/rest/v1/signed_waivers", json=row, headers={"Prefer": "return=minimal"})


@dataclass
class HonestVisits:
    seconds: list[float] = field(default_factory=list)


@asynccontextmanager
async def honest_visits(server: RunningServer, *, at_least: int = 1) -> AsyncIterator[HonestVisits]:
    """Signs a waiver and asks for the health again and again. Fails if one of them fails or takes too long."""
    visits = HonestVisits()
    async with client_from(server, HONEST_ADDRESS) as client:
        (await sign(client, await open_session(client))).raise_for_status()
        task = asyncio.create_task(_visit_until_cancelled(client, visits))
        yield visits
        while len(visits.seconds) < at_least and not task.done():  # noqa: ASYNC110 - the visits go on meanwhile
            await asyncio.sleep(0.05)
        task.cancel()
        result = (await asyncio.gather(task, return_exceptions=True))[0]
        assert isinstance(result, asyncio.CancelledError), result
    assert max(visits.seconds) < _SLOWEST_SECONDS


async def _visit_until_cancelled(client: httpx.AsyncClient, visits: HonestVisits) -> None:
    while True:
        started_at = time.monotonic()
        (await client.get("/auth/v1/health")).raise_for_status()
        (await sign(client, await open_session(client))).raise_for_status()
        visits.seconds.append(time.monotonic() - started_at)
        await asyncio.sleep(0.2)
