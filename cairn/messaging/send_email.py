"""Sending one mail, and writing down what became of it."""

import logging
import re
from dataclasses import replace
from uuid import UUID

from cairn.db import SERVICE
from cairn.kit import now
from cairn.messaging import configuration_store, store
from cairn.messaging.configuration import Configuration
from cairn.messaging.email import Email, Receipt
from cairn.messaging.errors import (
    AttachmentMissing,
    MailMisconfigured,
    MailNotSent,
    MailRefused,
    MailUnanswered,
)
from cairn.messaging.mailers import company_mailer
from cairn.messaging.sender import MailSender

log = logging.getLogger(__name__)
_LOGGED_BODY_CHARACTERS = 150
_CODE = re.compile(r"\d{6,}")

TOO_LATE = "It could not be sent in time."
LOST = "The server stopped while this was being sent. It may have arrived; it is not sent a second time."


async def send_email(room: MailSender, email_id: UUID, *, last_try: bool) -> None:
    """What may still go out stays `sending`; what cannot, or an impatient mail's last try, makes it `failed`."""
    async with room.database.acting_as(SERVICE) as connection:
        unsent = await store.unsent_email(connection, email_id)
        if unsent is None:
            return
        configuration = await configuration_store.configuration(connection, room.secret_box, unsent.company_id)
    if not await _may_go(room, unsent):
        return
    try:
        email = await _whole(unsent, room)
        if unsent.only_once and not await _taken(room, email_id):
            return
        receipt = await _sent(room, configuration, email)
    except MailNotSent as problem:
        final = _is_final(problem, unsent, last_try)
        await _note_failure(room, unsent, configuration, problem, final=final)
        if not last_try and not final:
            raise
        return
    async with room.database.acting_as(SERVICE) as connection:
        await store.note_receipt(connection, email_id, configuration.provider, receipt)
        if unsent.company_id is not None:
            await configuration_store.note_working(connection, unsent.company_id)
    # The start of the text only: links further down open things.
    log.info("mail %s to %s is %s: %s", email_id, email.recipient, receipt.status, preview(email.body))


async def retry_emails(room: MailSender) -> None:
    """The net under the jobs, for mails nobody is waiting for."""
    async with room.database.acting_as(SERVICE) as connection:
        due = await store.claim_emails_to_retry(connection)
    for email_id in due:
        await send_email(room, email_id, last_try=True)


async def _may_go(room: MailSender, unsent: store.UnsentEmail) -> bool:
    email_id = unsent.email.id
    object_to = room.cancellation_checks.get(unsent.kind)
    reason = await object_to(email_id) if object_to else None
    if reason is not None:
        async with room.database.acting_as(SERVICE) as connection:
            await store.note_cancelled(connection, email_id, reason)
        return False
    if unsent.not_after is not None and now() >= unsent.not_after:
        async with room.database.acting_as(SERVICE) as connection:
            await store.note_failure(connection, email_id, TOO_LATE, final=True)
        return False
    return True


async def _taken(room: MailSender, email_id: UUID) -> bool:
    async with room.database.acting_as(SERVICE) as connection:
        if await store.hand_over(connection, email_id):
            return True
        if await store.is_lost(connection, email_id):
            await store.note_failure(connection, email_id, LOST, final=True)
        return False


async def _sent(room: MailSender, configuration: Configuration, email: Email) -> Receipt:
    try:
        return await company_mailer(configuration, room.settings).send(email)
    except ValueError as error:
        # Words no mail can be made of, such as an address that is none, stay so however often it is tried.
        raise MailRefused(reason=f"The mail cannot be written: {error}") from error


def _is_final(problem: MailNotSent, unsent: store.UnsentEmail, last_try: bool) -> bool:
    if isinstance(problem, MailRefused):
        return True
    if unsent.only_once and isinstance(problem, MailUnanswered):
        return True
    if unsent.keep_retrying:
        return False
    return last_try or unsent.kind == "test" or isinstance(problem, MailMisconfigured)


async def _note_failure(
    room: MailSender, unsent: store.UnsentEmail, configuration: Configuration, problem: MailNotSent, *, final: bool
) -> None:
    async with room.database.acting_as(SERVICE) as connection:
        await store.note_failure(
            connection, unsent.email.id, str(problem), final=final, provider=configuration.provider
        )
        # These two say something about the mail itself; everything else says that the provider is not at work.
        if unsent.company_id is not None and not isinstance(problem, (MailRefused, AttachmentMissing)):
            await configuration_store.note_failing(connection, unsent.company_id, str(problem))


async def _whole(unsent: store.UnsentEmail, room: MailSender) -> Email:
    if unsent.attachment is None:
        return unsent.email
    source, kept_as = unsent.attachment
    try:
        return replace(unsent.email, attachment=await room.sources[source](kept_as))
    except Exception as error:
        # A mail that promises an attachment never goes out without it.
        log.exception("the attachment of mail %s could not be fetched", unsent.email.id)
        raise AttachmentMissing from error


def preview(body: str) -> str:
    """At most 150 characters, and none of a link or a code: it may be the key to something."""
    words = " ".join("[link]" if "://" in word else _CODE.sub("[code]", word) for word in body.split())
    return words[:_LOGGED_BODY_CHARACTERS]
