"""D2: writes that read slowly before they respond do not keep guests from signing.

D2 is a finding in docs/security.md.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from uuid import uuid4

import asyncpg
import pytest
import pytest_asyncio

from cairn.rest import RestSettings
from cairn.rest.cost import MAX_LIKES, cost_of
from cairn.rest.request import parse_request
from cairn.rest.transaction_settings import fixed_settings
from tests.abuse.honest import ATTACKER_ADDRESS, client_from, sign_up
from tests.abuse.test_slow_reads import QUICK_SECONDS, honest_seconds
from tests.serving import RunningServer

SECOND_ATTACKER_ADDRESS = "127.0.0.4"
"""Like many homes, the attacker has two networks: one of IPv4 and one of IPv6."""

WRITES_IN_FLIGHT = 16
MAX_WRITE_SECONDS = 5
CREATE_SLOW_EMBED = """
create function public.slow_company(public.waiver_templates) returns setof public.companies rows 1
    stable language sql as 'select c.* from public.companies c, pg_sleep(60) limit 1';
grant execute on function public.slow_company to authenticated;
notify pgrst;
"""
DROP_SLOW_EMBED = "drop function public.slow_company(public.waiver_templates); notify pgrst"


@pytest_asyncio.fixture
async def server_with_slow_embed(server: RunningServer) -> AsyncIterator[RunningServer]:
    connection = await asyncpg.connect(server.db_url)
    await connection.execute(CREATE_SLOW_EMBED)
    yield server
    await connection.execute(DROP_SLOW_EMBED)
    await connection.close()


@pytest.mark.timing
@pytest.mark.xdist_group("server under abuse")
async def test_d2_slow_inserts_of_two_networks_do_not_keep_guests_from_signing(
    server_with_slow_embed: RunningServer,
) -> None:
    server = server_with_slow_embed
    async with AsyncExitStack() as stack:
        attackers = []
        for address in (ATTACKER_ADDRESS, SECOND_ATTACKER_ADDRESS):
            account = await sign_up(server, f"mallory{uuid4().hex}@slow-writes.example")
            attackers.append(await stack.enter_async_context(client_from(server, address, token=account.token)))
        started_at = time.monotonic()
        writes = [
            asyncio.create_task(
                attackers[number % len(attackers)].post(
                    "/rest/v1/waiver_templates?select=id,slow_company(id)",
                    json={"name": "River", "content": "I ride."},
                    headers={"Prefer": "return=representation"},
                )
            )
            for number in range(WRITES_IN_FLIGHT)
        ]
        await asyncio.sleep(0.3)
        seconds = await honest_seconds(server, with_reads=False)
        statuses = Counter(response.status_code for response in await asyncio.gather(*writes))

    assert max(seconds) < QUICK_SECONDS, seconds
    assert set(statuses) <= {500, 503}, statuses
    assert time.monotonic() - started_at < 3 * MAX_WRITE_SECONDS


@pytest.mark.parametrize(
    ("query", "lane"),
    [
        ("select=id,name", "insert"),
        ("columns=id,name&on_conflict=id", "insert"),
        ("select=id,countries(name)", "read"),
        ("select=id,...countries(name)", "read"),
        ("select=id&name=eq.Baker", "read"),
        ("select=id&order=name", "read"),
    ],
)
def test_d2_an_insert_that_also_reads_waits_with_the_reads(query: str, lane: str) -> None:
    parsed = parse_request("POST", "/rivers", query, {}, body=b'{"id":1,"name":"Baker"}')

    assert cost_of(parsed, read_only=False).lane == lane


@pytest.mark.parametrize("form", ["or=({conditions})", "name=ilike(any).{{{texts}}}"])
@pytest.mark.parametrize(("count", "lane"), [(MAX_LIKES, "read"), (MAX_LIKES + 1, "pattern")])
def test_d2_requests_with_many_like_filters_run_one_at_a_time(form: str, count: int, lane: str) -> None:
    texts = [f"*river{number}*" for number in range(count)]
    conditions = ",".join(f"name.{'ilike' if number % 2 else 'like'}.{text}" for number, text in enumerate(texts))
    parsed = parse_request("GET", "/rivers", form.format(conditions=conditions, texts=",".join(texts)), {})

    assert cost_of(parsed, read_only=True).lane == lane


@pytest.mark.parametrize(
    ("method", "query", "expected_ms"),
    [
        ("PATCH", "name=eq.Baker", "5000"),
        ("POST", "select=id,countries(name)", "5000"),
        ("PATCH", "or=(name.fts.a,name.fts.b,name.fts.c,name.fts.d)", "3000"),
    ],
)
def test_d2_a_write_of_an_account_may_not_take_longer_than_a_read(method: str, query: str, expected_ms: str) -> None:
    """Everyone waits for up to 8 seconds for a turn, so a turn may not take longer."""
    parsed = parse_request(method, "/rivers", query, {}, body=b'{"id":1}')
    timeouts = fixed_settings(parsed, cost_of(parsed, read_only=False), RestSettings()).timeouts

    assert timeouts["authenticated"] == expected_ms
    assert timeouts["service_role"] == "60000"
