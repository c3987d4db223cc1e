"""The copy of the signed document that the signer gets by email, and another one if the first was not delivered."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID, uuid5

from asyncpg import UniqueViolationError

from cairn.billing import copy_quota
from cairn.db import SERVICE, Connection, Database, Principal
from cairn.limits import network_of
from cairn.messaging import (
    CountedEmail,
    Email,
    add_email,
    email_body,
    greeting,
    neutral_name,
    sending_status,
    take_copy,
    without_links,
)
from cairn.translations import spoken_time, text
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.document_link import create_document_link
from cairn.waivers.documents.download_document import find_readable_document
from cairn.waivers.documents.errors import DocumentFailed, WaiverErased
from cairn.waivers.documents.read_record import signed_record
from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.neutral_names import neutral_template_name

# The email job looks up the sealed document under this attachment source.
DOCUMENT_SOURCE = "waiver-document"
# The signer can request another copy. The limit keeps the signer's browser from flooding a mailbox that is not theirs.
_MAX_COPIES = 3
# About fifteen photos. The worker sends up to 48 emails at once, and base64 more than doubles the memory.
_MAX_ATTACHED_BYTES = 2_000_000
_SIGNED = text('You signed "{template_name}" for {company_name} on {signed_at}.')
_ATTACHED = text("The signed document is attached. Please keep it.")
_LINK_LATER = text(
    "If you lose it, this link opens it again. Anyone who has the link can open the document, so please do not pass it"
    " on:"
)
_LINKED = text(
    "This link opens the signed document. Please keep it. Anyone who has the link can open the document, so please do"
    " not pass it on:"
)


def signer_copy_email(
    record: SignedRecord, site_url: str, document_link: str, email_id: UUID | None, *, is_attached: bool
) -> Email:
    """If `email_id` is None, this is the first copy. Its id is derived from the waiver, so it is queued only once.

    `is_attached` is False if the email has only the link to the document.
    """
    # These names were typed by a visitor and by a company that may not have confirmed its address.
    template_name = without_links(record.template_name)
    signed = _SIGNED.format(
        template_name=template_name,
        company_name=without_links(record.company_name),
        signed_at=spoken_time(record.signed_at, record.time_zone),
    )
    return Email(
        id=email_id or uuid5(record.id, "copy for the signer"),
        recipient=record.signer_email,
        subject=text("Your signed waiver: {template_name}").format(template_name=template_name),
        body=email_body(
            greeting(record.signer_name),
            f"{signed} {_ATTACHED}" if is_attached else signed,
            f"{_LINK_LATER if is_attached else _LINKED}\n{document_link}",
            str(text("The document is sealed, so that any later change can be detected. Anyone can check that here:")),
            f"{site_url}/verify?waiver={record.id}",
        ),
        action=str(text("Verify the document")),
        sender_name=" ".join(record.company_name.split()),
    )


async def latest_copy(
    database: Database, principal: Principal, waiver_id: UUID, now: datetime, *, secret: str | None = None
) -> store.SignerCopy | None:
    """Returns None while the document is being prepared; its email is queued together with the document.

    Raises DocumentFailed if the document cannot be made, and WaiverErased if the waiver was erased.
    """
    document, _ = await find_readable_document(database, principal, waiver_id, now, secret=secret)
    if document.erased_at is not None:
        raise WaiverErased(date=f"{document.erased_at:%Y-%m-%d}")
    if document.has_failed:
        raise DocumentFailed
    async with database.acting_as(SERVICE, read_only=True) as connection:
        return await store.latest_copy(connection, waiver_id)


async def send_copy_again(
    database: Database, documents: DocumentContext, waiver_id: UUID, failed_copy: store.SignerCopy
) -> bool:
    """Queues one more copy, unless the limit is reached. Concurrent requests queue it only once."""
    if failed_copy.count >= _MAX_COPIES:
        return False
    try:
        async with database.acting_as(SERVICE) as connection:
            record = await _record(connection, waiver_id)
            if record.erased_at is not None:
                return False
            email_id = uuid5(waiver_id, f"copy {failed_copy.count}")
            await queue_copy(connection, record, documents, email_id)
    except UniqueViolationError:
        # A concurrent request has already queued the same copy.
        return True
    return True


async def must_request_copy(database: Database, waiver_id: UUID) -> bool:
    """Returns True if a visitor signed a sample template and has not requested the copy yet."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        return not await store.wants_copy(connection, waiver_id)


async def request_copy(database: Database, documents: DocumentContext, waiver_id: UUID) -> None:
    """Queues the first copy of a sample that a visitor signed.

    If the document does not exist yet, the request is recorded, and the copy is queued together with the document.
    """
    async with database.acting_as(SERVICE) as connection:
        if await store.wants_copy(connection, waiver_id):
            return
        if await store.request_copy(connection, waiver_id):
            record = await _record(connection, waiver_id)
            await queue_copy(connection, record, documents)


async def queue_copy(
    connection: Connection, record: SignedRecord, documents: DocumentContext, email_id: UUID | None = None
) -> None:
    """Without `email_id`, this is the first copy. If a limit is reached, the copy is stored as cancelled."""
    status = await sending_status(connection, documents.messaging, record.company_id)
    quota = await copy_quota(connection, record.company_id, documents.messaging.emails)
    counted_email = CountedEmail(record.signer_email, quota, network_of(record.ip))
    refusal = await take_copy(connection, documents.messaging, status, counted_email)
    if status.leaves_the_server:
        record = await _with_safe_names(connection, record, is_restricted=status.is_restricted)
    link = await create_document_link(connection, documents.site_url, record.id)
    # The document contains texts of the company and of the signer, and either may be anyone.
    is_trusted = not status.leaves_the_server or (status.is_confirmed and await _is_known_signer(connection, record))
    is_attached = is_trusted and (await store.document_bytes(connection, record.id) or 0) <= _MAX_ATTACHED_BYTES
    email = signer_copy_email(record, documents.site_url, link, email_id, is_attached=is_attached)
    await add_email(
        connection, email, company_id=record.company_id, attachment_type="pdf" if is_attached else "link",
        attachment=(DOCUMENT_SOURCE, record.id), kind="copy", keep_retrying=True,
        stays_local=not status.leaves_the_server, cancelled_because=None if refusal is None else str(refusal),
    )  # fmt: skip


async def _is_known_signer(connection: Connection, record: SignedRecord) -> bool:
    """Returns False if the signer may have entered the address of a stranger.

    Then the document, which has the texts and pictures of the signer, is not attached.
    """
    if record.is_signed_in_person:
        return True
    return await store.has_known_address(connection, record.id, record.signing_details.get("by"))


async def _with_safe_names(connection: Connection, record: SignedRecord, *, is_restricted: bool) -> SignedRecord:
    """Returns the record without names that could be messages to a stranger whose address a visitor typed.

    `is_restricted` is True if the company has not confirmed its address, or if the waiver has no company.
    """
    record = replace(record, signer_name=neutral_name(record.signer_name, ""))
    if not is_restricted:
        return record
    is_sample_name = await store.has_sample_name(connection, record.session_id)
    return replace(
        record,
        template_name=neutral_template_name(record.template_name, is_sample_name=is_sample_name),
        company_name=neutral_name(record.company_name, str(text("the company"))),
    )


async def _record(connection: Connection, waiver_id: UUID) -> SignedRecord:
    record = await signed_record(connection, waiver_id)
    assert record is not None, "signed waivers are never deleted"
    return record
