"""Gets a timestamp for each head from the configured authority. A head without a response stays pending."""

import logging

from cairn.db import SERVICE, Database
from cairn.kit import SandboxFailed
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.heads import store
from cairn.waivers.documents.sealing import Seal

log = logging.getLogger(__name__)

_HEADS_PER_PASS = 100


async def timestamp_heads(database: Database, documents: DocumentContext, seal: Seal) -> None:
    """Stops at the first failure, because the authority is probably unreachable. The worker tries again later."""
    if seal.timestamp_url is None:
        return
    async with database.acting_as(SERVICE, read_only=True) as connection:
        pending_heads = await store.heads_without_timestamp(connection, limit=_HEADS_PER_PASS)
    for head_id, digest in pending_heads:
        try:
            token, timestamped_at = await documents.request_timestamp(seal.timestamp_url, digest)
        except SandboxFailed as error:
            log.warning("the timestamp authority did not confirm head %s: %s", head_id, error)
            return
        async with database.acting_as(SERVICE) as connection:
            await store.add_timestamp(connection, head_id, token, timestamped_at)
