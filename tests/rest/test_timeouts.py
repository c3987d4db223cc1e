"""No statement runs longer than the timeout of its role.

A3 and B4 are findings in docs/security.md.
"""

from collections.abc import AsyncIterator
from time import monotonic
from urllib.parse import quote

import asyncpg
import pytest
import pytest_asyncio

from cairn.rest import RestSettings
from cairn.rest.cost import Cost
from cairn.rest.request import parse_request
from cairn.rest.transaction_settings import fixed_settings
from tests.rest.conftest import Client

# Only the service role may use backreferences (A3 in docs/security.md).
SLOW_REQUESTS = [
    ("anon", "GET", "/rpc/sleep_long"),
    ("anon", "POST", "/rpc/sleep_long"),
    ("service", "GET", "/stones?text=match." + quote(r"^(a*)(a*)(a*)\1\2\3$")),
    ("service", "GET", "/stones?select=id&or=(text.imatch." + quote(r'"^(A*)(A*)(A*)\\1\\2\\3$"') + ",id.eq.9)"),
]


@pytest.fixture
def settings() -> RestSettings:
    return RestSettings(statement_timeout_ms={"anon": 300, "service_role": 2_000})


@pytest_asyncio.fixture
async def stones(client: Client, admin: "asyncpg.Connection[asyncpg.Record]") -> AsyncIterator[Client]:
    await admin.execute("""
        create table public.stones (id int, text text, attributes jsonb);
        insert into public.stones values (1, repeat('a', 3001), '{}');
        create function public.sleep_long() returns void stable language sql as 'select pg_sleep(60)';
        grant select on public.stones to anon, service_role;
    """)
    assert (await client.get("/stones?select=id")).json() == [{"id": 1}]
    yield client


@pytest.mark.parametrize(("key", "method", "url"), SLOW_REQUESTS)
async def test_a_statement_is_cancelled_after_its_timeout(stones: Client, key: str, method: str, url: str) -> None:
    started_at = monotonic()
    response = await stones.request(method, url, headers={"apikey": key})

    assert (response.status_code, response.json()["code"]) == (500, "57014"), response.text
    assert "retry-after" not in response.headers
    assert monotonic() - started_at < 5
    assert (await stones.get("/stones?select=id")).status_code == 200


async def test_each_role_has_its_own_timeout(stones: Client, admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    await admin.execute(
        "create function public.sleep_briefly() returns int stable language sql as 'select 1 from pg_sleep(0.5)'"
    )

    assert (await stones.get("/rpc/sleep_briefly")).status_code == 500
    assert (await stones.get("/rpc/sleep_briefly", headers={"apikey": "service"})).json() == 1


@pytest.mark.parametrize(
    ("role", "cost", "timeout_ms"),
    [
        ("anon", Cost("read", read_only=True), "2000"),
        ("anon", Cost("insert", read_only=False), "5000"),
        ("authenticated", Cost("read", read_only=True), "5000"),
        ("authenticated", Cost("read", read_only=False), "5000"),
        ("authenticated", Cost("pattern", read_only=True, patterns=("^R",)), "3000"),
        ("service_role", Cost("pattern", read_only=True, patterns=("^R",)), "60000"),
    ],
)
def test_a3_b4_reads_and_patterns_have_a_shorter_timeout(role: str, cost: Cost, timeout_ms: str) -> None:
    fixed = fixed_settings(parse_request("GET", "/stones", "", {}), cost, RestSettings())

    assert fixed.timeouts[role] == timeout_ms
