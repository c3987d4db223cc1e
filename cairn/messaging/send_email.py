"""Sends one email and records the outcome."""

import asyncio
import logging
import time
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from cairn.db import SERVICE, DatabaseBusy, DatabaseUnreachable
from cairn.jobs import Queue, end_pause, pause_company
from cairn.kit import count, is_one_address, now
from cairn.messaging import configuration_store, store
from cairn.messaging.allowance import leaves_the_server
from cairn.messaging.configuration import Configuration
from cairn.messaging.email import Email, Receipt
from cairn.messaging.errors import (
    AddressNotSingle,
    AddressRejected,
    AttachmentMissing,
    MailMisconfigured,
    MailNotSent,
    MailRefused,
    MailUnanswered,
)
from cairn.messaging.failure_reasons import no_response
from cairn.messaging.mailers import MailboxMailer, company_mailer
from cairn.messaging.queues import ENDPOINTS_QUEUE, queue_of
from cairn.messaging.sender import MailSender
from cairn.messaging.store import UnsentEmail
from cairn.messaging.suppression import find_suppression, suppress

log = logging.getLogger(__name__)
# After a failure that took this long, the next emails through the endpoint wait. Quick failures keep no one waiting.
_SLOW_SECONDS = 1.0
_RECORD_AGAIN_SECONDS = 1.0
_SHORTEST_PAUSE, _LONGEST_PAUSE = timedelta(seconds=2), timedelta(minutes=5)

TOO_LATE = "It could not be sent in time."
INTERRUPTED = "The server stopped while this was being sent. It may have arrived, so it is not sent again."


async def send_email(sender: MailSender, email_id: UUID, *, last_try: bool, queue: Queue | None = None) -> None:
    """Sends the email, unless it was sent already.

    If sending fails but a retry may succeed, the email stays `sending`. Otherwise, and after the last try, it becomes
    `failed`. A job passes its `queue`. If the company's provider has another queue, the email is moved there instead.
    """
    if email_id in sender.recordings:
        # The email has been sent, and only the outcome is not recorded yet.
        await asyncio.shield(sender.recordings[email_id])
        return
    async with sender.database.acting_as(SERVICE) as connection:
        unsent = await store.unsent_email(connection, email_id)
        if unsent is None:
            return
        configuration = await configuration_store.load_configuration(connection, sender.secret_box, unsent.company_id)
        if queue is not None and queue_of(configuration.provider) not in (None, queue):
            await store.move_email(connection, email_id, unsent.company_id, configuration.provider)
            return
    if not (await _is_still_needed(sender, unsent) and await _may_send_to_address(sender, unsent, configuration)):
        return
    started_at = time.monotonic()
    try:
        email = await _with_attachment(sender, unsent)
        if unsent.only_once and not await _claim(sender, email_id):
            return
        receipt = await _send(sender, configuration, email, stays_local=unsent.stays_local)
    except MailNotSent as problem:
        final = _is_final(problem, unsent, last_try)
        was_slow = time.monotonic() - started_at >= _SLOW_SECONDS
        await _record_failure(sender, unsent, configuration, problem, final=final, was_slow=was_slow)
        count("emails", "failed" if final else "retried")
        if not last_try and not final:
            raise
        return
    recording = asyncio.create_task(_record_receipt(sender, unsent, configuration, receipt))
    sender.recordings[email_id] = recording
    recording.add_done_callback(lambda _task: sender.recordings.pop(email_id))
    # A queue that loses its connection cancels its jobs. If that cancelled the task, the email would be sent again.
    await asyncio.shield(recording)
    count("emails", receipt.status)
    log.info("email %s is %s", email_id, receipt.status)


async def _is_still_needed(sender: MailSender, unsent: UnsentEmail) -> bool:
    """Returns False, and records why, if the email is no longer needed or it is too late to send it."""
    email_id = unsent.email.id
    find_reason = sender.cancellation_checks.get(unsent.kind)
    reason = await find_reason(email_id) if find_reason else None
    if reason is not None:
        async with sender.database.acting_as(SERVICE) as connection:
            await store.record_cancellation(connection, email_id, reason)
        return False
    if unsent.not_after is not None and now() >= unsent.not_after:
        async with sender.database.acting_as(SERVICE) as connection:
            await store.record_failure(connection, email_id, TOO_LATE, final=True)
        return False
    return True


async def _may_send_to_address(sender: MailSender, unsent: UnsentEmail, configuration: Configuration) -> bool:
    """Returns False, and records why, if the address is suppressed in the scope of the email."""
    if unsent.stays_local or not leaves_the_server(configuration.provider, sender.settings):
        return True
    async with sender.database.acting_as(SERVICE) as connection:
        suppression = await find_suppression(connection, unsent.scope, unsent.email.recipient)
        if suppression is not None:
            await store.record_failure(connection, unsent.email.id, str(suppression), final=True)
    return suppression is None


async def _claim(sender: MailSender, email_id: UUID) -> bool:
    """Returns True if this call may send the email. An email whose sending was interrupted becomes `failed`."""
    async with sender.database.acting_as(SERVICE) as connection:
        if await store.claim_email(connection, email_id):
            return True
        if await store.is_abandoned(connection, email_id):
            await store.record_failure(connection, email_id, INTERRUPTED, final=True)
        return False


async def _send(sender: MailSender, configuration: Configuration, email: Email, *, stays_local: bool) -> Receipt:
    must_stay = stays_local and leaves_the_server(configuration.provider, sender.settings)
    mailer = MailboxMailer() if must_stay else company_mailer(configuration, sender.settings)
    try:
        return await mailer.send(_with_checked_addresses(email))
    except ValueError as error:
        # The fields cannot form a valid message, for example because of a malformed address, so a retry is pointless.
        raise MailRefused(reason=no_response(f"The email is malformed: {error}")) from error


def _with_checked_addresses(email: Email) -> Email:
    """Refuses an invalid recipient, and removes an invalid reply address.

    An address may have been stored before addresses were checked.
    """
    if not is_one_address(email.recipient):
        raise AddressNotSingle(address=email.recipient)
    return email if is_one_address(email.reply_to or "") else replace(email, reply_to=None)


def _is_final(problem: MailNotSent, unsent: UnsentEmail, last_try: bool) -> bool:
    """Returns True if the email must not be retried and becomes `failed`."""
    if isinstance(problem, MailRefused):
        return True
    if unsent.only_once and isinstance(problem, MailUnanswered):
        return True
    if unsent.keep_retrying:
        return False
    return last_try or unsent.kind == "test" or isinstance(problem, MailMisconfigured)


async def _record_receipt(
    sender: MailSender, unsent: UnsentEmail, configuration: Configuration, receipt: Receipt
) -> None:
    """Tries until the receipt is recorded, because otherwise the email would be sent again."""
    while True:
        try:
            async with sender.database.acting_as(SERVICE) as connection:
                await store.record_receipt(connection, unsent.email.id, configuration.provider, receipt)
                company_id = unsent.company_id
                if company_id is not None and await configuration_store.record_working(connection, company_id):
                    await end_pause(connection, ENDPOINTS_QUEUE, company_id)
            return
        except (DatabaseUnreachable, DatabaseBusy) as error:
            log.info("email %s is %s, which cannot be recorded yet: %s", unsent.email.id, receipt.status, error)
        await asyncio.sleep(_RECORD_AGAIN_SECONDS)


async def _record_failure(
    sender: MailSender,
    unsent: UnsentEmail,
    configuration: Configuration,
    problem: MailNotSent,
    *,
    final: bool,
    was_slow: bool,
) -> None:
    async with sender.database.acting_as(SERVICE) as connection:
        await store.record_failure(
            connection, unsent.email.id, str(problem), final=final, provider=configuration.provider
        )
        if isinstance(problem, AddressRejected):
            await suppress(connection, unsent.scope, unsent.email.recipient, "bounce", problem.reply)
        # These two errors concern only this email. All others mean that the provider is not working.
        if unsent.company_id is not None and not isinstance(problem, (MailRefused, AttachmentMissing)):
            failing_for = await configuration_store.record_failing(connection, unsent.company_id, str(problem))
            if was_slow and configuration.provider == "custom":
                await pause_company(connection, ENDPOINTS_QUEUE, unsent.company_id, _pause_duration(failing_for))


def _pause_duration(failing_for: timedelta) -> timedelta:
    """Returns how long the next emails of the company wait, if its endpoint has failed for `failing_for`."""
    return min(max(failing_for, _SHORTEST_PAUSE), _LONGEST_PAUSE)


async def _with_attachment(sender: MailSender, unsent: UnsentEmail) -> Email:
    if unsent.attachment is None or unsent.email.attachment_type == "link":
        return unsent.email
    source, attachment_id = unsent.attachment
    try:
        return replace(unsent.email, attachment=await sender.attachment_sources[source](attachment_id))
    except Exception as error:
        # An email that promises an attachment is never sent without it.
        log.exception("fetching the attachment of email %s failed", unsent.email.id)
        raise AttachmentMissing from error
