"""Sends one text message and records the outcome."""

import logging
from uuid import UUID

from cairn.db import SERVICE, Database
from cairn.messaging import text_store
from cairn.messaging.errors import TextNotSent, TextRefused, TextUnconfirmed
from cairn.messaging.send_email import INTERRUPTED
from cairn.messaging.sms import SmsGateway
from cairn.messaging.text_store import UnsentText

log = logging.getLogger(__name__)


async def send_text(database: Database, gateway: SmsGateway | None, message_id: UUID, *, last_try: bool) -> None:
    """Sends the message, unless it was sent already. The body is never logged: its link or code grants access."""
    unsent = await _claim(database, message_id)
    if unsent is None:
        return
    try:
        if gateway is None:
            raise TextRefused(reason="No SMS gateway is set up.")
        receipt = await gateway.send(unsent.message)
    except TextNotSent as problem:
        final = last_try or _is_final(problem, unsent)
        async with database.acting_as(SERVICE) as connection:
            await text_store.record_text_failure(connection, message_id, str(problem), final=final)
        if not final:
            raise
        return
    async with database.acting_as(SERVICE) as connection:
        await text_store.record_text_receipt(connection, message_id, receipt)
    log.info("text message %s was accepted by the gateway as %s", message_id, receipt)


async def _claim(database: Database, message_id: UUID) -> UnsentText | None:
    """Marks a message to a guest before it is sent. If it is marked already, a worker crashed while sending it."""
    async with database.acting_as(SERVICE) as connection:
        unsent = await text_store.unsent_text_message(connection, message_id)
        if unsent is None or not unsent.only_once:
            return unsent
        if unsent.is_claimed:
            await text_store.record_text_failure(connection, message_id, INTERRUPTED, final=True)
            return None
        await text_store.claim_text(connection, message_id)
        return unsent


def _is_final(problem: TextNotSent, unsent: UnsentText) -> bool:
    """Returns True if the message must not be retried and becomes `failed`."""
    return isinstance(problem, TextRefused) or (unsent.only_once and isinstance(problem, TextUnconfirmed))
