"""The copy the signer gets by mail: what became of it, and another one when the first could not be delivered."""

from datetime import datetime
from uuid import UUID, uuid5

from asyncpg import UniqueViolationError

from cairn.db import SERVICE, Database, Principal
from cairn.messaging import add_email
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.fetch import may_fetch
from cairn.waivers.documents.prepare import DOCUMENT_SOURCE, copy_for_the_signer

# Whoever holds the id may ask, but cannot fill the signer's mailbox.
MOST_COPIES = 3


async def latest_copy(database: Database, principal: Principal, waiver_id: UUID, now: datetime) -> store.Copy | None:
    """None while the document is being prepared: its mail follows by itself."""
    await may_fetch(database, principal, waiver_id, now)
    async with database.acting_as(SERVICE, read_only=True) as connection:
        return await store.latest_copy(connection, waiver_id)


async def send_copy_again(database: Database, documents: DocumentContext, waiver_id: UUID, failed: store.Copy) -> bool:
    """Asked for twice at once it is sent once."""
    if failed.count >= MOST_COPIES:
        return False
    try:
        async with database.acting_as(SERVICE) as connection:
            record = await store.record(connection, waiver_id)
            assert record is not None, "a signed waiver never goes away"
            copy = copy_for_the_signer(record, documents.site_url, uuid5(waiver_id, f"copy {failed.count}"))
            await add_email(
                connection, copy, company_id=record.company_id, attachment_type="pdf",
                attachment=(DOCUMENT_SOURCE, waiver_id), patient=True,
            )  # fmt: skip
    except UniqueViolationError:
        # Somebody was faster; theirs is on its way.
        return True
    return True
