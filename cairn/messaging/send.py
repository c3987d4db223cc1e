"""Sending one mail or text message, and writing down what became of it."""

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TypeAlias
from uuid import UUID

from cairn.db import SERVICE, Database
from cairn.messaging import store
from cairn.messaging.email import Attachment, Email, Mailer, Receipt
from cairn.messaging.errors import MailNotSent, MailRefused, TextNotSent, TextRefused
from cairn.messaging.sms import Texter

log = logging.getLogger(__name__)
_LOGGED_BODY_CHARACTERS = 150
_CODE = re.compile(r"\d{6,}")

# By name of the source: whoever keeps the thing fetches it by its id.
AttachmentSources: TypeAlias = Mapping[str, Callable[[UUID], Awaitable[Attachment]]]


async def send_email(
    database: Database, mailer: Mailer, sources: AttachmentSources, email_id: UUID, *, last_try: bool
) -> None:
    """What may still go out stays `sending`; a refusal, or an impatient mail's last try, makes it `failed`."""
    async with database.acting_as(SERVICE) as connection:
        unsent = await store.unsent_email(connection, email_id)
    if unsent is None:
        return
    try:
        email = await _whole(unsent, sources)
        receipt = await _sent(mailer, email)
    except MailNotSent as problem:
        final = isinstance(problem, MailRefused) or (last_try and not unsent.patient)
        async with database.acting_as(SERVICE) as connection:
            await store.note_failure(connection, email_id, str(problem), final=final)
        if not last_try and not final:
            raise
        return
    async with database.acting_as(SERVICE) as connection:
        await store.note_receipt(connection, email_id, receipt)
    # The start of the text only: links further down open things.
    log.info("mail %s to %s is %s: %s", email_id, email.recipient, receipt.status, preview(email.body))


async def send_patient_emails(database: Database, mailer: Mailer, sources: AttachmentSources) -> None:
    """The net under the jobs, for mails nobody is waiting for."""
    async with database.acting_as(SERVICE) as connection:
        due = await store.claim_patient_emails(connection)
    for email_id in due:
        await send_email(database, mailer, sources, email_id, last_try=True)


async def _sent(mailer: Mailer, email: Email) -> Receipt:
    try:
        return await mailer.send(email)
    except ValueError as error:
        # Words no mail can be made of, such as an address that is none, stay so however often it is tried.
        raise MailRefused(reason=f"The mail cannot be written: {error}") from error


async def _whole(unsent: store.Unsent, sources: AttachmentSources) -> Email:
    if unsent.attachment is None:
        return unsent.email
    source, kept_as = unsent.attachment
    try:
        return replace(unsent.email, attachment=await sources[source](kept_as))
    except Exception as error:
        # A mail that promises an attachment never goes out without it.
        log.exception("the attachment of mail %s could not be fetched", unsent.email.id)
        raise MailNotSent(reason="The attachment is not available.") from error


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
