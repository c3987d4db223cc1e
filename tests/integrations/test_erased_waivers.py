"""A webhook about a waiver that was erased before it could be delivered is not sent."""

from uuid import UUID

import pytest

from cairn.db import Database
from cairn.integrations import jobs
from tests.integrations.conftest import Admin, FunctionsClient, read_deliveries, read_endpoint, wait_for_delivery
from tests.integrations.receiver import WebhookReceiver
from tests.integrations.test_deliveries import make_due, sign_waiver
from tests.people import Person
from tests.waivers.acts import erase


@pytest.mark.usefixtures("worker")
async def test_a_delivery_that_waits_or_is_sent_again_after_an_erasure_posts_nothing(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person, admin: Admin
) -> None:
    """The receiver would otherwise replace the name of its guest with "(erased)"."""
    endpoint = await functions.connect(receiver.url)
    receiver.responses.append(500)
    waiver_id = await sign_waiver(database, rosa)
    await wait_for_delivery(database, rosa, attempts=1, answer=500)
    before = await read_endpoint(database, rosa, endpoint["id"])

    await erase(database, rosa, waiver_id)
    await make_due(admin)

    delivery = await wait_for_delivery(database, rosa, attempts=2, status="failed")
    assert delivery["error"] == "The waiver was erased, so nothing was sent."
    await functions("resend-webhook", delivery=str(delivery["id"]))
    await wait_for_delivery(database, rosa, attempts=3, status="failed")
    assert len(receiver.webhooks) == 1
    after = await read_endpoint(database, rosa, endpoint["id"])
    assert after["last_error"] == before["last_error"] == "The server answered 500.", "the endpoint is not at fault"


async def test_no_delivery_is_added_for_a_waiver_that_is_already_erased(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person
) -> None:
    await functions.connect(receiver.url)
    waiver_id: UUID = await sign_waiver(database, rosa)
    await erase(database, rosa, waiver_id)

    [job] = jobs(database)
    await job.run({"waiver_id": str(waiver_id)}, False)

    assert await read_deliveries(database, rosa) == []
