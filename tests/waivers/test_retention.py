"""A company can choose how long it keeps signed waivers. It is informed 30 days before older ones are erased."""

import asyncio
from datetime import datetime, timedelta
from uuid import UUID

import asyncpg
import pytest

from cairn.db import Connection, Database, batches
from cairn.kit import now
from cairn.waivers import apply_retention
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.acts import history, hold, release

SITE = "https://waivers.example"


async def keep_for(database: Database, person: Person, months: int | None) -> None:
    async with database.acting_as(person.principal) as connection:
        await connection.execute("update companies set keep_waivers_months = $1", months)


async def sign_days_ago(database: Database, admin: Connection, person: Person, days: int) -> UUID:
    waiver = await sign(database, await make_session(database, person))
    await admin.execute("alter table waivers.signed disable trigger keep_signed")
    await admin.execute(
        "update waivers.signed set signed_at = now() - $2 * interval '1 day' where id = $1", waiver["id"], days
    )
    await admin.execute(
        "update waivers.signed w set record_sha256 = waivers.record_hash(w) where id = $1", waiver["id"]
    )
    await admin.execute("alter table waivers.signed enable trigger keep_signed")
    waiver_id: UUID = waiver["id"]
    return waiver_id


async def plan_erasure(database: Database, admin: Connection, rosa: Person) -> UUID:
    """Signs a waiver that is older than the company keeps waivers, so that its erasure is planned."""
    waiver_id = await sign_days_ago(database, admin, rosa, 800)
    await keep_for(database, rosa, 24)
    await apply_retention(database, SITE, now())
    return waiver_id


async def pass_days(admin: Connection, days: int) -> None:
    """Moves all plans into the past, as if this many days had passed since they were made."""
    await admin.execute(
        """
        update waivers.planned_erasures
           set erase_at = erase_at - $1 * interval '1 day', planned_at = planned_at - $1 * interval '1 day'
        """,
        days,
    )


async def erased(admin: Connection) -> set[UUID]:
    return {row["id"] for row in await admin.fetch("select id from waivers.signed where erased_at is not null")}


async def planned_erasures(database: Database, person: Person) -> list[tuple[UUID, datetime]]:
    async with database.acting_as(person.principal) as connection:
        rows = await connection.fetch("select waiver_id, erase_at from planned_erasures order by erase_at")
    return [(row["waiver_id"], row["erase_at"]) for row in rows]


@pytest.mark.accept("TRUE-15")
async def test_waivers_are_kept_unless_the_company_chooses_otherwise(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await sign_days_ago(database, admin, rosa, 30_000)

    assert await apply_retention(database, SITE, now()) == 0

    assert await planned_erasures(database, rosa) == []
    assert await erased(admin) == set()


@pytest.mark.accept("TRUE-15")
async def test_old_waivers_are_reported_30_days_before_they_are_erased(
    database: Database, admin: Connection, rosa: Person, mallory: Person
) -> None:
    old = await sign_days_ago(database, admin, rosa, 800)
    # 24 months are about 730 days, so this waiver is old enough in about 35 days.
    soon = await sign_days_ago(database, admin, rosa, 695)
    await sign_days_ago(database, admin, rosa, 600)
    await sign_days_ago(database, admin, mallory, 800)
    await keep_for(database, rosa, 24)

    assert await apply_retention(database, SITE, now()) == 0

    [(first, first_at), (second, second_at)] = await planned_erasures(database, rosa)
    assert (first, second) == (old, soon)
    assert timedelta(days=29, hours=23) < first_at - now() < timedelta(days=30, minutes=5)
    assert timedelta(days=32) < second_at - now() < timedelta(days=37)
    assert await planned_erasures(database, mallory) == []
    [email] = await admin.fetch("select recipient, subject, body from emails")
    assert email["recipient"] == "rosa@rio-rafting.example"
    assert email["subject"].startswith("2 of your signed waivers will be erased from ")
    assert email["body"].startswith("Hi Rosa,\n\nYou chose to keep signed waivers for ")
    assert f"{SITE}/dashboard/profile#records" in email["body"]

    await pass_days(admin, 29)
    assert await apply_retention(database, SITE, now()) == 0
    await pass_days(admin, 2)
    assert await apply_retention(database, SITE, now()) == 1

    assert await erased(admin) == {old}
    name, details = (await history(database, rosa, await session_of(admin, old)))[-1]
    assert (name, details["cause"], details["reason"]) == ("waiver.erased", "retention", "Kept for 24 months")
    assert await admin.fetch("select reason from waivers.broken_evidence() where event_id is not null") == []


async def session_of(admin: Connection, waiver_id: UUID) -> UUID:
    session_id: UUID = await admin.fetchval("select session_id from waivers.signed where id = $1", waiver_id)
    return session_id


async def test_a_company_gets_at_most_one_report_a_week(database: Database, admin: Connection, rosa: Person) -> None:
    await keep_for(database, rosa, 24)
    await sign_days_ago(database, admin, rosa, 800)
    await apply_retention(database, SITE, now())
    late = await sign_days_ago(database, admin, rosa, 800)

    await apply_retention(database, SITE, now())
    assert len(await planned_erasures(database, rosa)) == 1
    await pass_days(admin, 8)
    await apply_retention(database, SITE, now() + timedelta(days=8))

    assert late in [waiver_id for waiver_id, _ in await planned_erasures(database, rosa)]
    assert await admin.fetchval("select count(*) from emails") == 2


@pytest.mark.parametrize("months", [None, 60])
async def test_a_company_that_changes_its_mind_keeps_its_waivers(
    database: Database, admin: Connection, rosa: Person, months: int | None
) -> None:
    await plan_erasure(database, admin, rosa)

    await keep_for(database, rosa, months)

    assert await planned_erasures(database, rosa) == []
    await pass_days(admin, 31)
    await apply_retention(database, SITE, now())
    assert await erased(admin) == set()


async def test_a_company_that_changes_its_mind_while_its_waivers_are_being_erased_keeps_the_others(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await plan_erasure(database, admin, rosa)
    await pass_days(admin, 31)

    await keep_for(database, rosa, 36)

    due = await admin.fetchval("select waivers.due_erasures(1)")
    assert due is not None, "no erasure was due"
    await admin.execute("select waivers.erase_due($1)", due)
    assert await erased(admin) == set()


@pytest.mark.accept("TRUE-14")
async def test_a_waiver_on_hold_is_erased_only_after_the_hold_is_released(
    database: Database, admin: Connection, rosa: Person
) -> None:
    waiver_id = await plan_erasure(database, admin, rosa)

    await hold(database, rosa, waiver_id)

    assert await planned_erasures(database, rosa) == []
    await pass_days(admin, 31)
    assert await apply_retention(database, SITE, now()) == 0
    await release(database, rosa, waiver_id)
    assert await apply_retention(database, SITE, now()) == 0
    assert len(await planned_erasures(database, rosa)) == 1
    await pass_days(admin, 31)
    assert await apply_retention(database, SITE, now()) == 1
    assert await erased(admin) == {waiver_id}


async def test_waivers_on_hold_do_not_keep_due_erasures_waiting(
    database: Database, admin: Connection, rosa: Person
) -> None:
    held_waiver = await plan_erasure(database, admin, rosa)
    await pass_days(admin, 8)
    due_waiver = await plan_erasure(database, admin, rosa)
    await pass_days(admin, 31)

    assert await admin.fetchval("select waivers.due_erasures(1)") == held_waiver
    await hold(database, rosa, held_waiver)

    assert await admin.fetchval("select waivers.due_erasures(1)") == due_waiver


async def test_erasures_are_planned_and_reported_again_after_the_retention_was_switched_off(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """GL2 in docs/security.md: old plans stayed, so waivers were erased a day after retention was switched on again."""
    await plan_erasure(database, admin, rosa)
    await pass_days(admin, 29)
    await keep_for(database, rosa, None)
    await apply_retention(database, SITE, now())

    await keep_for(database, rosa, 24)
    await apply_retention(database, SITE, now() + timedelta(days=29))

    [(_, erase_at)] = await planned_erasures(database, rosa)
    assert erase_at > now() + timedelta(days=29)
    assert await admin.fetchval("select count(*) from emails") == 2


async def test_a_company_that_often_changes_its_mind_gets_one_report_a_week(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """FL5 in docs/security.md: each change of the retention removed the plans, so each change back was reported."""
    await sign_days_ago(database, admin, rosa, 800)
    for months in (24, 60, 24, None, 24):
        await keep_for(database, rosa, months)
        await apply_retention(database, SITE, now())

    assert await admin.fetchval("select count(*) from emails") == 1


@pytest.mark.accept("OPS-59")
async def test_plans_are_dropped_and_deleted_in_batches(
    database: Database, admin: Connection, rosa: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(7):
        await sign_days_ago(database, admin, rosa, 800)
    await keep_for(database, rosa, 24)
    await apply_retention(database, SITE, now())
    await keep_for(database, rosa, None)
    monkeypatch.setattr(batches, "BATCH_SIZE", 2)
    monkeypatch.setattr(batches, "MAX_BATCHES", 3)

    await apply_retention(database, SITE, now())
    assert await admin.fetchval("select count(*) from waivers.planned_erasures where not is_dropped") == 1
    await apply_retention(database, SITE, now())
    assert await admin.fetchval("select count(*) from waivers.planned_erasures where is_dropped") == 7

    # A dropped plan shows that the company got a report this week. After that week it is deleted.
    await pass_days(admin, 8)
    await apply_retention(database, SITE, now())
    assert await admin.fetchval("select count(*) from waivers.planned_erasures") == 1


async def test_a_company_counts_how_many_waivers_a_choice_would_erase(
    database: Database, admin: Connection, rosa: Person, mallory: Person
) -> None:
    for days in (800, 695, 100):
        await sign_days_ago(database, admin, rosa, days)
    await sign_days_ago(database, admin, mallory, 800)

    async with database.acting_as(rosa.principal) as connection:
        counts = [
            await connection.fetchval("select count_waivers_to_erase($1)", months) for months in (24, 3, 120, 9999)
        ]

    assert counts == [1, 3, 0, 0]


@pytest.mark.parametrize("months", [0, -1, 1201])
async def test_a_company_cannot_choose_an_impossible_number_of_months(
    database: Database, rosa: Person, months: int
) -> None:
    with pytest.raises(asyncpg.CheckViolationError):
        await keep_for(database, rosa, months)


async def test_a_rival_sees_no_planned_erasures(
    database: Database, admin: Connection, rosa: Person, mallory: Person, gil: Person
) -> None:
    await plan_erasure(database, admin, rosa)

    assert len(await planned_erasures(database, rosa)) == 1
    assert await planned_erasures(database, mallory) == await planned_erasures(database, gil) == []


async def test_a_hold_and_a_due_erasure_do_not_deadlock(
    database: Database, admin: Connection, admin_url: str, rosa: Person
) -> None:
    """The hold has already locked the session when the worker starts the erasure that is due."""
    waiver_id = await sign_days_ago(database, admin, rosa, days=400)
    await keep_for(database, rosa, 12)
    await apply_retention(database, SITE, now())
    await pass_days(admin, 31)
    session_id = await admin.fetchval("select session_id from waivers.signed")
    worker = await asyncpg.connect(admin_url)

    async with database.acting_as(rosa.principal) as connection:
        # This function locks the session as a hold does.
        await connection.execute("select note_waiver_view($1)", session_id)
        erasing = asyncio.create_task(worker.execute("select waivers.erase_due($1)", waiver_id))
        await asyncio.sleep(0.5)
        await connection.execute("select hold_waiver($1, 'A claim was announced')", waiver_id)

    await erasing
    await worker.close()
    assert await erased(admin) == set()
