"""Asking for a text message to a guest."""

from uuid import UUID

from cairn.db import Connection
from cairn.messaging import text_store
from cairn.messaging.sms import GuestText, TextLimits, refusal


async def queue_guest_text(connection: Connection, text: GuestText, limits: TextLimits) -> UUID:
    """In the caller's transaction, and goes out when that commits; pressed twice, the id is that of the first.

    Over a limit it is kept as failed, so that the reason stands where the message is missed.
    """
    await text_store.one_at_a_time(connection, text.company_id)
    if text.kind == "message":
        earlier = await text_store.just_texted(connection, text.session_id)
        if earlier is not None:
            return earlier
    recent = await text_store.recently_texted(connection, text.company_id, text.recipient)
    await text_store.add_guest_text(connection, text, refusal(recent, limits))
    return text.id
