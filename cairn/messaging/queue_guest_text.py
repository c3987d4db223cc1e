"""Queues a text message to a guest, unless a limit is exceeded."""

from uuid import UUID

from cairn.db import Connection
from cairn.messaging import text_store
from cairn.messaging.allowance import SendingStatus
from cairn.messaging.sms import NEEDS_CONFIRMED_ADDRESS, GuestText, TextLimits, take_text


async def queue_guest_text(
    connection: Connection, text: GuestText, limits: TextLimits, status: SendingStatus, network: str
) -> UUID:
    """Returns the id of the queued message. It is sent after the caller's transaction commits.

    `status` is that of the company. `network` is that of the caller or, for a reminder, the network from which the
    session was opened. A second click within a minute queues nothing and returns the id of the first message. If a
    limit is exceeded, the message is stored as failed, so that the company sees the reason.
    """
    await text_store.lock_company_texts(connection, text.company_id)
    if text.kind == "message":
        earlier_id = await text_store.recent_text_id(connection, text.session_id)
        if earlier_id is not None:
            return earlier_id
    # A text leaves the server whatever the mail provider of the company is, so the address must always be confirmed.
    reason = await take_text(connection, limits, text, network) if status.is_confirmed else NEEDS_CONFIRMED_ADDRESS
    await text_store.add_guest_text(connection, text, reason)
    return text.id
