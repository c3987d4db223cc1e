"""18B2: the storage quota counts each document with its size.

18B2 is a finding in docs/security.md.
"""

import asyncpg
import pytest

from cairn.db import Connection, Database
from cairn.waivers import DocumentContext, Seal, measure_storage
from cairn.waivers.documents import prepare_document
from tests.abuse.test_quota_per_network import GUEST, QUOTA, REFUSAL, STRANGER, open_session
from tests.factories import make_session, make_template, sign
from tests.people import Person

ATTACH = "select waivers.store_document($1, 'gil.pdf', repeat('a', 64), 'c', $2)"


async def test_18b2_a_network_whose_documents_are_large_uses_up_the_quota(
    database: Database, admin: Connection, rosa: Person
) -> None:
    template_id = await make_template(database, rosa)
    waiver = await sign(database, await open_session(database, template_id, STRANGER), ip=STRANGER)
    await admin.execute(ATTACH, waiver["id"], 3 * QUOTA.daily_bytes_per_company)
    await measure_storage(database, QUOTA)

    with pytest.raises(asyncpg.PostgresError, match=REFUSAL):
        await open_session(database, template_id, STRANGER)
    await open_session(database, template_id, GUEST)


async def test_18b2_the_size_of_a_document_is_stored_with_it(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    waiver = await sign(database, await make_session(database, rosa))
    query = "select document_bytes, waivers.bytes_of_signature(w) as counted from waivers.signed w"
    before = await admin.fetchrow(query)

    await prepare_document(database, documents, seal, waiver["id"])

    after = await admin.fetchrow(query)
    document = await documents.find(f"{rosa.company}/{waiver['id']}.pdf")
    assert document is not None
    assert before is not None
    assert after is not None
    assert (before["document_bytes"], after["document_bytes"]) == (None, len(document))
    assert after["counted"] - before["counted"] == len(document) - 50_000, "the size that is assumed before it is known"
    with pytest.raises(asyncpg.PostgresError, match="A signed waiver is never changed"):
        await admin.execute("update waivers.signed set document_bytes = 1")
