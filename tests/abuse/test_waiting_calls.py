"""I9 and 7W4: at most 25 calls of a network wait for the worker, because a waiting call reads the database repeatedly.

7W7: a call that need not wait is never refused.

I9, 7W4 and 7W7 are findings in docs/security.md.
"""

import asyncio
from itertools import islice
from typing import Any
from uuid import uuid4

import httpx
import pytest

from cairn.db import Connection, Database
from cairn.functions import FunctionsContext
from cairn.functions.call import Call
from cairn.functions.delivery_outcome import delivery_outcome
from cairn.functions.email_outcome import email_outcome
from cairn.functions.waiting import wait_until
from cairn.integrations import DeliveryState
from cairn.jobs import OutboxNotifier
from cairn.messaging import EmailState
from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents import prepare_document
from tests.factories import make_session, sign
from tests.functions.test_documents import call
from tests.people import Person

MAX_WAITING_PER_NETWORK = 25
MAX_WAITING = 200
SECRET = "a secret of the browser, which is long enough"


@pytest.mark.parametrize("function", ["email-copy", "waiver-document"])
async def test_i9_25_calls_of_a_network_wait_and_more_are_refused(
    client: httpx.AsyncClient, database: Database, rosa: Person, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    """No worker runs, so the document stays in preparation."""
    monkeypatch.setattr(f"cairn.functions.{function.replace('-', '_')}._WAIT_SECONDS", 1.5)
    waiver = await sign(database, await make_session(database, rosa), document_secret=SECRET)
    parameters = {"waiver_id": str(waiver["id"]), "secret": SECRET}

    responses = await asyncio.gather(*(call(client, "anon", function, parameters) for _ in range(30)))
    refused = [response for response in responses if response.status_code == 503]
    later = await call(client, "anon", function, parameters)

    assert len(refused) == len(responses) - MAX_WAITING_PER_NETWORK
    assert {response.json()["code"] for response in refused} == {"too_many_waiting"}
    assert {response.headers["retry-after"] for response in refused} == {"5"}
    assert later.status_code in (200, 202)


@pytest.mark.parametrize(
    ("outcome", "state"),
    [
        (delivery_outcome, DeliveryState("waiting", None, None)),
        (email_outcome, EmailState("sending", None, None)),
    ],
)
async def test_7w4_25_calls_of_a_network_wait_for_an_outcome_and_others_return_without_it(
    context: FunctionsContext, rosa: Person, monkeypatch: pytest.MonkeyPatch, outcome: Any, state: Any
) -> None:
    """The delivery or email is queued already, so no call is refused. There is no outcome, because no worker runs."""

    async def read_state(_connection: Connection, _id: object) -> Any:
        return state

    name = outcome.__name__
    monkeypatch.setattr(f"cairn.functions.{name}.{name.replace('outcome', 'state')}", read_state)
    monkeypatch.setattr(f"cairn.functions.{name}._WAIT_SECONDS", 60)
    caller = Call(rosa.principal, b"", context, "203.0.113.7", "203.0.113.7")

    calls = [asyncio.create_task(outcome(caller, uuid4())) for _ in range(MAX_WAITING_PER_NETWORK + 5)]
    async with asyncio.timeout(20):
        returned = [await first for first in islice(asyncio.as_completed(calls), 5)]
    waiting_count = sum(not task.done() for task in calls)
    for task in calls:
        task.cancel()
    await asyncio.gather(*calls, return_exceptions=True)

    assert [response.status_code for response in returned] == [202] * 5
    assert waiting_count == MAX_WAITING_PER_NETWORK


async def test_7w4_a_call_that_waits_reads_at_most_ten_times_a_second() -> None:
    """Each change that any company makes may notify all calls that wait."""
    notifier = OutboxNotifier("postgresql://not.connected.example")
    read_count = 0

    async def read() -> bool:
        nonlocal read_count
        read_count += 1
        notifier.notify()
        await asyncio.sleep(0)
        return False

    await wait_until(notifier, read, bool, seconds=0.55)

    assert read_count <= 7


@pytest.mark.parametrize("function", ["email-copy", "waiver-document"])
async def test_7w7_what_is_ready_is_returned_even_if_the_limit_of_waiting_calls_is_reached(
    client: httpx.AsyncClient,
    context: FunctionsContext,
    database: Database,
    admin: Connection,
    documents: DocumentContext,
    seal: Seal,
    rosa: Person,
    function: str,
) -> None:
    ready, unprepared = [
        await sign(database, await make_session(database, rosa), document_secret=SECRET) for _ in range(2)
    ]
    await prepare_document(database, documents, seal, ready["id"])
    await admin.execute("update emails set status = 'delivered'")
    for number in range(MAX_WAITING):
        context.waiting_calls.enter_now(f"network {number}")

    responses = [
        await call(client, "anon", function, {"waiver_id": str(waiver["id"]), "secret": SECRET})
        for waiver in (ready, unprepared)
    ]

    assert [response.status_code for response in responses] == [200, 503]
    assert responses[1].json()["code"] == "too_many_waiting"
