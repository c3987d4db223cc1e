"""Sending one mail or text message, and writing down what became of it."""

import logging
import re
from uuid import UUID

from cairn.db import SERVICE, Database
from cairn.messaging import store
from cairn.messaging.email import Mailer
from cairn.messaging.errors import MailNotSent, MailRefused, TextNotSent, TextRefused
from cairn.messaging.sms import Texter

log = logging.getLogger(__name__)
_LOGGED_BODY_CHARACTERS = 150
_CODE = re.compile(r"\d{6,}")


async def send_email(database: Database, mailer: Mailer, email_id: UUID, *, last_try: bool) -> None:
    """A mail that may still go out stays `sending`; only a refusal or the last try makes it `failed`."""
    async with database.acting_as(SERVICE) as connection:
        email = await store.unsent_email(connection, email_id)
    if email is None:
        return
    try:
        receipt = await mailer.send(email)
    except MailNotSent as problem:
        final = last_try or isinstance(problem, MailRefused)
        async with database.acting_as(SERVICE) as connection:
            await store.note_failure(connection, email_id, str(problem), final=final)
        if not final:
            raise
        return
    async with database.acting_as(SERVICE) as connection:
        await store.note_receipt(connection, email_id, receipt)
    # The start of the text only: links further down open things.
    log.info("mail %s to %s is %s: %s", email_id, email.recipient, receipt.status, preview(email.body))


async def send_text(database: Database, texter: Texter | None, message_id: UUID, *, last_try: bool) -> None:
    """As a mail is sent. Of the words nothing is logged: they are a code."""
    async with database.acting_as(SERVICE) as connection:
        message = await store.unsent_text_message(connection, message_id)
    if message is None:
        return
    try:
        if texter is None:
            raise TextRefused(reason="No SMS gateway is set up.")
        receipt = await texter.send(message)
    except TextNotSent as problem:
        final = last_try or isinstance(problem, TextRefused)
        async with database.acting_as(SERVICE) as connection:
            await store.note_text_failure(connection, message_id, str(problem), final=final)
        if not final:
            raise
        return
    async with database.acting_as(SERVICE) as connection:
        await store.note_text_receipt(connection, message_id, receipt)
    log.info("text message %s was handed to the gateway as %s", message_id, receipt)


def preview(body: str) -> str:
    """At most 150 characters, and none of a link or a code: it may be the key to something."""
    words = " ".join("[link]" if "://" in word else _CODE.sub("[code]", word) for word in body.split())
    return words[:_LOGGED_BODY_CHARACTERS]
