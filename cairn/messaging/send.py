"""Sending one mail, and writing down what became of it."""

import logging
from uuid import UUID

from cairn.db import SERVICE, Database
from cairn.messaging import store
from cairn.messaging.email import Mailer
from cairn.messaging.errors import MailNotSent, MailRefused

log = logging.getLogger(__name__)
_LOGGED_BODY_CHARACTERS = 150


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


def preview(body: str) -> str:
    """At most 150 characters, and none of a link: it may be the key to something."""
    words = " ".join("[link]" if "://" in word else word for word in body.split())
    return words[:_LOGGED_BODY_CHARACTERS]
