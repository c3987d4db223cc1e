"""I9: only some calls of one network wait for the worker, because each of them reads the database again and again."""

import asyncio

import httpx
import pytest

from cairn.db import Database
from tests.cast import Person
from tests.factories import make_session, sign
from tests.functions.test_documents import call

WAITING_PER_NETWORK = 25
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

    assert len(refused) == len(responses) - WAITING_PER_NETWORK
    assert {response.json()["code"] for response in refused} == {"too_many_waiting"}
    assert {response.headers["retry-after"] for response in refused} == {"5"}
    assert later.status_code in (200, 202)
