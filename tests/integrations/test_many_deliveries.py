"""17B5: pausing an endpoint changes none of its deliveries, and an endpoint has a limited number of waiting ones.

17L5: the deliveries of a deleted company are deleted in small batches.

17B5 and 17L5 are findings in docs/security.md.
"""

from datetime import timedelta
from uuid import UUID

from cairn.db import SERVICE, Database
from cairn.integrations import WebhookSender, jobs
from cairn.integrations.claim import claim_delivery
from cairn.integrations.delivery_store import Delivery
from cairn.integrations.model import MAX_WAITING_DELIVERIES
from cairn.kit import now
from tests.integrations.conftest import Admin, read_deliveries
from tests.integrations.receiver import WebhookReceiver
from tests.integrations.test_deliveries import set_paused, sign_waiver
from tests.integrations.test_turns import add_waiting_deliveries, connect
from tests.people import Person


async def claim(database: Database) -> Delivery | None:
    async with database.acting_as(SERVICE) as connection:
        return await claim_delivery(connection, now() + timedelta(seconds=1), quick=False)


async def stored_versions(admin: Admin) -> list[tuple[UUID, str, str]]:
    """Returns the position and the transaction of each delivery. Both change whenever the row is written."""
    rows = await admin.fetch("select id, ctid::text, xmin::text from integrations.deliveries order by id")
    return [(row["id"], row["ctid"], row["xmin"]) for row in rows]


async def waiting_counts(admin: Admin) -> dict[UUID, int]:
    rows = await admin.fetch(
        "select endpoint_id, count(*) from integrations.deliveries where status = 'waiting' group by endpoint_id"
    )
    return {row["endpoint_id"]: row["count"] for row in rows}


async def test_17b5_pausing_and_resuming_an_endpoint_writes_none_of_its_deliveries(
    webhook_sender: WebhookSender, receiver: WebhookReceiver, database: Database, admin: Admin, rosa: Person
) -> None:
    endpoint_id = await connect(webhook_sender, rosa, receiver.url)
    await add_waiting_deliveries(admin, endpoint_id, 3)
    before = await stored_versions(admin)

    await set_paused(database, rosa, str(endpoint_id), paused=True)
    assert await stored_versions(admin) == before
    assert await claim(database) is None
    assert {delivery["next_try_at"] for delivery in await read_deliveries(database, rosa)} == {None}

    await set_paused(database, rosa, str(endpoint_id), paused=False)
    assert await stored_versions(admin) == before
    assert None not in {delivery["next_try_at"] for delivery in await read_deliveries(database, rosa)}
    assert await claim(database) is not None


async def test_17b5_a_delivery_that_failed_before_its_endpoint_was_resumed_is_due_once(
    webhook_sender: WebhookSender, receiver: WebhookReceiver, database: Database, admin: Admin, rosa: Person
) -> None:
    endpoint_id = await connect(webhook_sender, rosa, receiver.url)
    await add_waiting_deliveries(admin, endpoint_id, 2)
    await fail_attempts(admin)
    assert await claim(database) is None

    await set_paused(database, rosa, str(endpoint_id), paused=True)
    assert await claim(database) is None
    await set_paused(database, rosa, str(endpoint_id), paused=False)
    assert all(delivery["next_try_at"] <= now() for delivery in await read_deliveries(database, rosa))
    claimed = [await claim(database) for _ in range(3)]
    assert len({delivery.id for delivery in claimed if delivery}) == 2

    await fail_attempts(admin)
    assert await claim(database) is None, "each of them was tried after the endpoint was resumed"
    assert all(delivery["next_try_at"] > now() for delivery in await read_deliveries(database, rosa))


async def fail_attempts(admin: Admin) -> None:
    """Ends the attempts of all deliveries with an error. The next ones are in ten hours."""
    await admin.execute(
        """
        update integrations.deliveries
           set tried_at = coalesce(tried_at, now()), error = 'The server answered 500.',
               next_try_at = now() + interval '10 hours'
        """
    )


async def test_17b5_a_running_attempt_is_not_repeated_when_its_endpoint_is_resumed(
    webhook_sender: WebhookSender, receiver: WebhookReceiver, database: Database, admin: Admin, rosa: Person
) -> None:
    endpoint_id = await connect(webhook_sender, rosa, receiver.url)
    await add_waiting_deliveries(admin, endpoint_id, 1)
    assert await claim(database) is not None
    await admin.execute("update integrations.deliveries set tried_at = now()")

    await set_paused(database, rosa, str(endpoint_id), paused=True)
    await set_paused(database, rosa, str(endpoint_id), paused=False)
    assert await claim(database) is None


async def test_17b5_an_endpoint_with_too_many_waiting_deliveries_gets_no_new_ones(
    webhook_sender: WebhookSender, receiver: WebhookReceiver, database: Database, admin: Admin, rosa: Person
) -> None:
    silent = await connect(webhook_sender, rosa, receiver.url_of("/silent"))
    other = await connect(webhook_sender, rosa, receiver.url_of("/other"))
    await add_waiting_deliveries(admin, silent, MAX_WAITING_DELIVERIES)
    [add_deliveries] = jobs(database)

    await add_deliveries.run({"waiver_id": str(await sign_waiver(database, rosa))}, False)
    assert await waiting_counts(admin) == {silent: MAX_WAITING_DELIVERIES, other: 1}

    await admin.execute(
        """
        update integrations.deliveries set status = 'delivered', next_try_at = null
         where id in (select id from integrations.deliveries where endpoint_id = $1 limit 2)
        """,
        silent,
    )
    await add_deliveries.run({"waiver_id": str(await sign_waiver(database, rosa))}, False)
    assert await waiting_counts(admin) == {silent: MAX_WAITING_DELIVERIES - 1, other: 2}


async def test_17l5_the_deliveries_of_a_deleted_company_are_deleted_in_batches(
    webhook_sender: WebhookSender, receiver: WebhookReceiver, database: Database, admin: Admin, rosa: Person
) -> None:
    endpoint_id = await connect(webhook_sender, rosa, receiver.url)
    await add_waiting_deliveries(admin, endpoint_id, 250)
    counts = []
    for _ in range(4):
        assert await admin.fetchval("select count(*) from integrations.endpoints") == 1
        async with database.acting_as(SERVICE) as connection:
            counts.append(await connection.fetchval("select integrations.delete_company_data($1, 100)", rosa.company))
        assert await claim(database) is None, "nothing is sent any more"

    assert counts == [100, 100, 50, 0]
    assert await admin.fetchval("select count(*) from integrations.endpoints") == 0
