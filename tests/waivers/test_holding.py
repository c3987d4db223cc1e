"""A company puts a signed waiver on legal hold, so that it cannot be erased, and releases the hold."""

import asyncpg
import pytest

from cairn.db import ANON, SERVICE, Connection, Database
from tests.people import Person
from tests.waivers.acts import call, erase, history, hold, release


async def held_since(database: Database, person: Person, waiver_id: object) -> object:
    async with database.acting_as(person.principal) as connection:
        return await connection.fetchval("select held_since from signed_waivers where id = $1", waiver_id)


@pytest.mark.accept("TRUE-14")
async def test_a_held_waiver_cannot_be_erased_until_the_hold_is_released(
    database: Database, admin: Connection, rosa: Person, waiver: asyncpg.Record
) -> None:
    await hold(database, rosa, waiver["id"], "A lawyer wrote about an accident")

    assert await held_since(database, rosa, waiver["id"]) is not None
    with pytest.raises(asyncpg.PostgresError, match="on legal hold, so it cannot be erased"):
        await erase(database, rosa, waiver["id"])
    with pytest.raises(asyncpg.PostgresError, match="on legal hold already"):
        await hold(database, rosa, waiver["id"])
    await release(database, rosa, waiver["id"], "The claim was withdrawn")
    assert await held_since(database, rosa, waiver["id"]) is None
    with pytest.raises(asyncpg.PostgresError, match="not on legal hold"):
        await release(database, rosa, waiver["id"])
    events = await history(database, rosa, waiver["session_id"])
    assert [(name, details["reason"], details["by_name"]) for name, details in events[-2:]] == [
        ("waiver.held", "A lawyer wrote about an accident", "Rosa Marín"),
        ("hold.released", "The claim was withdrawn", "Rosa Marín"),
    ]
    assert await admin.fetch("select * from waivers.broken_evidence()") == []
    await erase(database, rosa, waiver["id"])


@pytest.mark.parametrize("act", ["hold_waiver", "release_hold", "erase_waiver"])
@pytest.mark.accept("TRUE-16")
async def test_a_rival_and_a_guest_cannot_hold_release_or_erase_a_waiver(
    database: Database, admin: Connection, rosa: Person, mallory: Person, gil: Person, act: str, waiver: asyncpg.Record
) -> None:
    if act == "release_hold":
        await hold(database, rosa, waiver["id"])
    before = await admin.fetchrow("select * from waivers.signed")

    for principal, refusal in (
        (mallory.principal, "Could not find this signed waiver"),
        (gil.principal, "Only the company"),
        (ANON, "permission denied"),
        (SERVICE, "permission denied"),
    ):
        with pytest.raises(asyncpg.PostgresError, match=refusal):
            await call(database, principal, f"select {act}($1, 'Because')", waiver["id"])

    assert await admin.fetchrow("select * from waivers.signed") == before


@pytest.mark.parametrize("act", ["hold_waiver", "release_hold", "erase_waiver"])
@pytest.mark.parametrize(("reason", "refusal"), [(" ", "enter a reason"), ("a" * 501, "at most 500 characters")])
async def test_every_act_needs_a_reason(
    database: Database, rosa: Person, act: str, reason: str, refusal: str, waiver: asyncpg.Record
) -> None:
    with pytest.raises(asyncpg.PostgresError, match=refusal):
        await call(database, rosa.principal, f"select {act}($1, $2)", waiver["id"], reason)
