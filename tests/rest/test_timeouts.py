"""No question, however clever, keeps the database longer than its role is given."""

from collections.abc import AsyncIterator
from time import monotonic
from urllib.parse import quote

import asyncpg
import pytest
import pytest_asyncio

from cairn.rest import RestSettings
from tests.rest.conftest import Client

ENDLESS = [
    ("GET", "/rpc/dream"),
    ("POST", "/rpc/dream"),
    ("GET", "/stones?words=match." + quote(r"^(a*)(a*)(a*)\1\2\3$")),
    ("GET", "/stones?select=id&or=(words.imatch." + quote(r'"^(A*)(A*)(A*)\\1\\2\\3$"') + ",id.eq.9)"),
]


@pytest.fixture
def settings() -> RestSettings:
    return RestSettings(statement_timeout_ms={"anon": 300})


@pytest_asyncio.fixture
async def stones(client: Client, admin: "asyncpg.Connection[asyncpg.Record]") -> AsyncIterator[Client]:
    await admin.execute("""
        create table public.stones (id int, words text, facts jsonb);
        insert into public.stones values (1, repeat('a', 3001), '{}');
        create function public.dream() returns void stable language sql as 'select pg_sleep(60)';
        grant select on public.stones to anon, service_role;
    """)
    assert (await client.get("/stones?select=id")).json() == [{"id": 1}]
    yield client


@pytest.mark.parametrize(("method", "address"), ENDLESS)
async def test_an_endless_question_is_ended(stones: Client, method: str, address: str) -> None:
    began = monotonic()
    answer = await stones.request(method, address)

    assert (answer.status_code, answer.json()["code"]) == (500, "57014"), answer.text
    assert "retry-after" not in answer.headers
    assert monotonic() - began < 5
    assert (await stones.get("/stones?select=id")).status_code == 200


async def test_each_role_has_its_own_patience(stones: Client, admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    await admin.execute("create function public.nap() returns int stable language sql as 'select 1 from pg_sleep(0.5)'")

    assert (await stones.get("/rpc/nap")).status_code == 500
    assert (await stones.get("/rpc/nap", headers={"apikey": "service"})).json() == 1
