"""F6: exporting the signed heads of a company does not keep the server from serving others.

F6 is a finding in docs/security.md.
"""

import asyncio
import json
import time
from collections.abc import Coroutine
from typing import Any

import httpx

from cairn.db import Connection, Database
from cairn.waivers import Seal, seal_new_events
from tests.factories import make_session, sign
from tests.functions.test_documents import call
from tests.people import Person

HEAD_COUNT = 3000
EXPORTS_PER_NETWORK_AND_MINUTE = 6
ADD_HEADS = """
insert into waivers.chain_heads
       (company_id, number, previous, at, session_count, waiver_count, event_count, entry_count, root, hash, signature,
        certificate, wants_timestamp)
select h.company_id, h.number + n, h.hash, h.at, h.session_count, h.waiver_count, h.event_count, h.entry_count, h.root,
       sha256(n::text::bytea), h.signature, h.certificate, false
  from waivers.chain_heads h, generate_series(1, $1 - 1) as n
"""


async def test_f6_heads_are_not_encoded_on_the_event_loop(
    client: httpx.AsyncClient, database: Database, admin: Connection, seal: Seal, rosa: Person
) -> None:
    """Compares processor times of the thread that serves all requests. Other processes do not change them."""
    await sign(database, await make_session(database, rosa))
    await seal_new_events(database, seal)
    await admin.execute(ADD_HEADS, HEAD_COUNT)

    response, longest_step_seconds = await response_and_longest_step(call(client, "rosa", "export-heads", {}))
    content = json.loads(response.content)
    started_at = time.thread_time()
    json.dumps(content, indent=2)
    encoding_seconds = time.thread_time() - started_at

    assert [head["text"].splitlines()[2] for head in content["heads"][-2:]] == [
        f"number {HEAD_COUNT - 1}",
        f"number {HEAD_COUNT}",
    ]
    assert longest_step_seconds < encoding_seconds / 2


async def response_and_longest_step(request: Coroutine[Any, Any, httpx.Response]) -> tuple[httpx.Response, float]:
    """Returns the response, and the longest processor time for which the event loop served no one else."""
    task = asyncio.create_task(request)
    longest_seconds, last_at = 0.0, time.thread_time()
    while not task.done():
        await asyncio.sleep(0)
        seen_at = time.thread_time()
        longest_seconds, last_at = max(longest_seconds, seen_at - last_at), seen_at
    return task.result(), longest_seconds


async def test_f6_a_network_can_request_six_exports_of_heads_a_minute(client: httpx.AsyncClient) -> None:
    responses = [await call(client, "rosa", "export-heads", {}) for _ in range(EXPORTS_PER_NETWORK_AND_MINUTE + 1)]

    assert [response.status_code for response in responses] == [200] * EXPORTS_PER_NETWORK_AND_MINUTE + [429]
    assert responses[-1].json()["code"] == "too_many_documents"
    assert int(responses[-1].headers["retry-after"]) >= 1
