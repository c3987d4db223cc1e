"""Queues a text message to a guest, unless a limit is exceeded."""

from uuid import UUID

from cairn.db import Connection
from cairn.messaging import text_store
from cairn.messaging.sms import GuestText, TextLimits, exceeded_limit


async def queue_guest_text(connection: Connection, text: GuestText, limits: TextLimits) -> UUID:
    """Returns the id of the queued message. It is sent after the caller's transaction commits.

    A second click within a minute queues nothing and returns the id of the first message. If a limit is exceeded, the
    message is stored as failed, so that the company sees the reason.
    """
    await text_store.lock_company_texts(connection, text.company_id)
    if text.kind == "message":
        earlier_id = await text_store.recent_text_id(connection, text.session_id)
        if earlier_id is not None:
            return earlier_id
    recent = await text_store.count_recent_texts(connection, text.company_id, text.recipient)
    await text_store.add_guest_text(connection, text, exceeded_limit(recent, limits))
    return text.id
