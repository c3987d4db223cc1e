"""Queues a text message to a guest, within the limits."""

from uuid import UUID

from cairn.db import Connection
from cairn.messaging import text_store
from cairn.messaging.sms import GuestText, TextLimits, exceeded_limit


async def queue_guest_text(connection: Connection, text: GuestText, limits: TextLimits) -> UUID:
    """The id of the queued message, which is sent after the caller's transaction commits.

    A second click within a minute queues nothing and returns the id of the first message. Over a limit, the message is
    stored as failed, so that the company sees the reason.
    """
    await text_store.lock_company_texts(connection, text.company_id)
    if text.kind == "message":
        earlier = await text_store.just_sent_text(connection, text.session_id)
        if earlier is not None:
            return earlier
    recent = await text_store.count_recent_texts(connection, text.company_id, text.recipient)
    await text_store.add_guest_text(connection, text, exceeded_limit(recent, limits))
    return text.id
