"""A2: no request body stops the REST service from serving others, or fills its memory while it is parsed.

A2 is a finding in docs/security.md.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from uuid import uuid4

import httpx
import pytest

from bench.memory import megabytes
from tests.abuse.honest import ATTACKER_ADDRESS, HONEST_ADDRESS, client_from, repeating, sign_up
from tests.abuse.memory import process_memory_stays_within
from tests.serving import RunningServer

pytestmark = [pytest.mark.timing, pytest.mark.xdist_group("server under abuse")]

MAX_WAIT_SECONDS = 1.0
"""Other tests may use the same processor cores. On a calm machine the longest wait is below 0.1 seconds."""

MAX_GROWTH_MEGABYTES = 80
JSON = "application/json"
CSV = "text/csv"
FORM = "application/x-www-form-urlencoded"
WAIVERS = "/rest/v1/signed_waivers"
ONE_WAIVER = f"{WAIVERS}?id=eq.{uuid4()}"


def object_with_keys(count: int) -> str:
    # This is several times as fast as encoding a dictionary.
    return "{" + ", ".join(f'"key{number}": 1' for number in range(count)) + "}"


EMPTY_ROWS = "empty rows"
"""The bodies with more rows than a caller may write. Each row of a list counts as a write (B2 in docs/security.md)."""

# Each body is created by the test that sends it, because the largest ones take seconds to create.
BODIES_OF_STRANGERS: dict[str, tuple[str, Callable[[], str]]] = {
    "lines of CSV": (CSV, lambda: "a\n" * 990_000),
    "lines of CSV with a long column name": (CSV, lambda: "a" * 30_000 + "\n1" * 16_000),
    "fields of a form": (FORM, lambda: "a=1&" * 490_000),
    "encoded characters of a form": (FORM, lambda: "a=" + "%41" * 650_000),
    "keys of an object": (JSON, lambda: object_with_keys(150_000)),
    "keys of a row": (JSON, lambda: f"[{object_with_keys(150_000)}]"),
    EMPTY_ROWS: (JSON, lambda: "[" + "{}," * 660_000 + "{}]"),
    "numbers": (JSON, lambda: "[" + "1," * 990_000 + "1]"),
    "nested lists": (JSON, lambda: '{"signature":[' + "[]," * 660_000 + "1]}"),
    "a string without an end": (JSON, lambda: '{"signature":"' + '\\"' * 40_000),
}
BODIES_OF_ACCOUNTS: dict[str, tuple[str, Callable[[], str]]] = {
    "lines of CSV": (CSV, lambda: "a\n" * 4_000_000),
    "lines of CSV within the limit": (CSV, lambda: "a\n" * 1_900_000),
    "keys of an object": (JSON, lambda: object_with_keys(1_500_000)),
    EMPTY_ROWS: (JSON, lambda: "[" + "{}," * 1_300_000 + "{}]"),
    "digits of a number": (JSON, lambda: '{"signature":' + "1" * 4_000_000 + "}"),
}


@asynccontextmanager
async def others_are_served(server: RunningServer) -> AsyncIterator[None]:
    """Sends small requests from another network all the time. Fails if one waits too long, or if the memory grows."""
    idle_megabytes = megabytes(server.process.pid)
    max_growth_factor = (idle_megabytes + MAX_GROWTH_MEGABYTES) / idle_megabytes
    async with client_from(server, HONEST_ADDRESS) as client:

        async def visit() -> float:
            started_at = time.monotonic()
            (await client.get("/health/live")).raise_for_status()
            seconds = time.monotonic() - started_at
            await asyncio.sleep(0.02)
            return seconds

        await visit()
        with process_memory_stays_within(server.process.pid, max_growth_factor):
            async with repeating(visit, at_least=5) as waits:
                yield
    assert max(waits) < MAX_WAIT_SECONDS


async def send(client: httpx.AsyncClient, content_type: str, body: str, *, method: str = "POST") -> httpx.Response:
    url = ONE_WAIVER if method == "PUT" else WAIVERS
    return await client.request(method, url, content=body.encode(), headers={"Content-Type": content_type})


@pytest.mark.parametrize("name", BODIES_OF_STRANGERS)
async def test_a2_a_body_of_a_stranger_does_not_delay_others(server: RunningServer, name: str) -> None:
    content_type, make_body = BODIES_OF_STRANGERS[name]
    body = make_body()
    async with client_from(server, ATTACKER_ADDRESS) as attacker, others_are_served(server):
        response = await send(attacker, content_type, body)

    assert response.status_code in ((429,) if name == EMPTY_ROWS else (400, 413)), response.text[:200]


@pytest.mark.parametrize("name", BODIES_OF_ACCOUNTS)
async def test_a2_a_body_of_an_account_does_not_delay_others(server: RunningServer, name: str) -> None:
    content_type, make_body = BODIES_OF_ACCOUNTS[name]
    body = make_body()
    mallory = await sign_up(server, f"{name.replace(' ', '-')}@bodies.example")
    async with client_from(server, ATTACKER_ADDRESS, token=mallory.token) as attacker, others_are_served(server):
        response = await send(attacker, content_type, body)

    assert response.status_code in ((429,) if name == EMPTY_ROWS else (400, 413)), response.text[:200]


@pytest.mark.parametrize("name", ["nested lists", "keys of a row", EMPTY_ROWS])
async def test_a2_a_body_of_a_put_request_does_not_delay_others(server: RunningServer, name: str) -> None:
    content_type, make_body = BODIES_OF_STRANGERS[name]
    body = make_body()
    async with client_from(server, ATTACKER_ADDRESS) as attacker, others_are_served(server):
        response = await send(attacker, content_type, body, method="PUT")

    assert response.status_code in (400, 413), response.text[:200]
