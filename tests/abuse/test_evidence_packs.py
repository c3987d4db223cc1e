"""D5: building evidence packs does not keep the server from serving others.

D5 is a finding in docs/security.md.
"""

import asyncio
import io
import json
import time
import zipfile
from uuid import UUID

import httpx

from cairn.db import Database
from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents import prepare_document
from tests.factories import make_session, sign
from tests.functions.test_documents import call
from tests.people import Person

PACK_COUNT = 5
LONGEST_DRAWING = [[{"x": number % 600 + 0.5, "y": number % 200 + 0.25, "time": number * 5} for number in range(7400)]]
MAX_SECONDS_PER_PACK = 0.06
"""The processor time of the event loop for one pack. Building the pack there takes 0.15 seconds or more."""


async def sealed_waiver(database: Database, documents: DocumentContext, seal: Seal, owner: Person) -> UUID:
    waiver = await sign(database, await make_session(database, owner), strokes=json.dumps(LONGEST_DRAWING))
    await prepare_document(database, documents, seal, waiver["id"])
    waiver_id: UUID = waiver["id"]
    return waiver_id


async def test_d5_an_evidence_pack_is_not_built_on_the_event_loop(
    client: httpx.AsyncClient, database: Database, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    """Measures the processor time of the thread that serves all requests. Other processes do not change it."""
    parameters = {"waiver_id": str(await sealed_waiver(database, documents, seal, rosa))}
    await call(client, "rosa", "evidence-pack", parameters)

    started_at = time.thread_time()
    responses = await asyncio.gather(*(call(client, "rosa", "evidence-pack", parameters) for _ in range(PACK_COUNT)))
    seconds = time.thread_time() - started_at

    with zipfile.ZipFile(io.BytesIO(responses[0].content)) as pack:
        assert json.loads(pack.read("strokes.json")) == LONGEST_DRAWING
    assert seconds / PACK_COUNT < MAX_SECONDS_PER_PACK
