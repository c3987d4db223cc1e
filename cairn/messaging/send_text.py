"""Sending one text message, and writing down what became of it."""

import logging
from uuid import UUID

from cairn.db import SERVICE, Database
from cairn.messaging import text_store
from cairn.messaging.errors import TextNotSent, TextRefused, TextUnanswered
from cairn.messaging.send_email import LOST
from cairn.messaging.sms import SmsGateway

log = logging.getLogger(__name__)


async def send_text(database: Database, sms_gateway: SmsGateway | None, message_id: UUID, *, last_try: bool) -> None:
    """Of the words nothing is logged: they are a code, or a link that opens something."""
    unsent = await _taken(database, message_id)
    if unsent is None:
        return
    try:
        if sms_gateway is None:
            raise TextRefused(reason="No SMS gateway is set up.")
        receipt = await sms_gateway.send(unsent.message)
    except TextNotSent as problem:
        final = last_try or _is_final(problem, unsent)
        async with database.acting_as(SERVICE) as connection:
            await text_store.note_text_failure(connection, message_id, str(problem), final=final)
        if not final:
            raise
        return
    async with database.acting_as(SERVICE) as connection:
        await text_store.note_text_receipt(connection, message_id, receipt)
    log.info("text message %s was handed to the gateway as %s", message_id, receipt)


async def _taken(database: Database, message_id: UUID) -> text_store.UnsentText | None:
    """A guest's is marked before it is given away: whoever finds the mark comes after a worker that is gone."""
    async with database.acting_as(SERVICE) as connection:
        unsent = await text_store.unsent_text_message(connection, message_id)
        if unsent is None or not unsent.only_once:
            return unsent
        if unsent.was_handed_over:
            await text_store.note_text_failure(connection, message_id, LOST, final=True)
            return None
        await text_store.hand_over(connection, message_id)
        return unsent


def _is_final(problem: TextNotSent, unsent: text_store.UnsentText) -> bool:
    return isinstance(problem, TextRefused) or (unsent.only_once and isinstance(problem, TextUnanswered))
