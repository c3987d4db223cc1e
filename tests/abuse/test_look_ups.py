"""F3: looking up a document by its printed id costs little, however often and by however many it is done."""

import asyncio
from uuid import UUID

import asyncpg
import httpx
import pytest

from cairn.db import Connection, Database
from tests.abuse.locked_table import largest_waiting_count
from tests.cast import Person
from tests.factories import make_session, sign
from tests.functions.test_documents import call
from tests.waivers.acts import history, hold, release

UNKNOWN_ID = "254ee2e0-f4d3-402b-8297-3a27ca62af27"
MAX_HOLDS = 20
LOOK_UPS_PER_MINUTE = 120


async def test_f3_a_waiver_is_put_on_hold_at_most_twenty_times(database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa)
    waiver = await sign(database, session_id)
    for _ in range(MAX_HOLDS):
        await hold(database, rosa, waiver["id"])
        await release(database, rosa, waiver["id"])

    with pytest.raises(asyncpg.PostgresError, match="on legal hold 20 times already. To keep it, please download"):
        await hold(database, rosa, waiver["id"])

    names = [name for name, _ in await history(database, rosa, session_id)]
    assert (names.count("waiver.held"), names.count("hold.released")) == (MAX_HOLDS, MAX_HOLDS)


async def test_f3_holds_of_another_signature_of_the_same_session_do_not_count(database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa)
    first, second = await sign(database, session_id), await sign(database, session_id)
    for _ in range(MAX_HOLDS):
        await hold(database, rosa, first["id"])
        await release(database, rosa, first["id"])

    await hold(database, rosa, second["id"])


async def look_up(client: httpx.AsyncClient, waiver_id: object) -> httpx.Response:
    return await call(client, "anon", "verify-document", {"waiver_id": str(waiver_id)})


async def test_f3_a_network_may_look_up_120_documents_a_minute(client: httpx.AsyncClient) -> None:
    """The calls of the second half start together, because the limiter allows another look-up after half a second."""
    responses = [await look_up(client, UNKNOWN_ID) for _ in range(LOOK_UPS_PER_MINUTE)]
    *_, refused = await asyncio.gather(*(look_up(client, UNKNOWN_ID) for _ in range(LOOK_UPS_PER_MINUTE)))

    assert {response.json()["state"] for response in responses} == {"unknown"}
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_look_ups")
    assert int(refused.headers["retry-after"]) >= 1


async def test_f3_a_network_runs_two_look_ups_at_once_and_each_ends_after_a_short_time(
    client: httpx.AsyncClient, admin: Connection, sealed_waiver_id: UUID
) -> None:
    async with admin.transaction():
        await admin.execute("lock table waivers.audit_events in access exclusive mode")
        look_ups = asyncio.gather(*(look_up(client, sealed_waiver_id) for _ in range(4)))
        assert await largest_waiting_count(admin, "waivers.audit_events", until=look_ups) == 2

    outcomes = {(response.status_code, response.json()["code"]) for response in look_ups.result()}
    assert outcomes <= {(503, "history_not_checked"), (503, "too_busy")}
    assert (await look_up(client, sealed_waiver_id)).json()["history"] == "intact"
