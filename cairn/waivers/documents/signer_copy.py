"""The copy of the signed document that the signer gets by email, and another one if the first was not delivered."""

from dataclasses import asdict
from datetime import datetime
from uuid import UUID, uuid5

from asyncpg import UniqueViolationError

from cairn.db import SERVICE, Connection, Database, Principal
from cairn.kit import frozen_dataclass
from cairn.messaging import Email, add_email, without_links
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.document_link import create_document_link
from cairn.waivers.documents.download_document import find_readable_document
from cairn.waivers.documents.errors import DocumentFailed
from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.timeline import utc_and_local_time
from cairn.waivers.neutral_names import neutral_name, neutral_template_name

# The email job looks up the sealed document under this attachment source.
DOCUMENT_SOURCE = "waiver-document"
# The signer can request another copy. The limit keeps the signer's browser from flooding a mailbox that is not theirs.
_MAX_COPIES = 3
_SUBJECT = "Your signed waiver: {template_name}"
_BODY = """\
Hello {signer_name},

you signed "{template_name}" for {company_name} on {signed_at}. The signed document is attached; please keep it.
If you lose it, this link opens it again. The link is yours alone: {document_link}

It is sealed, so that any later change can be detected. Anyone can check that here:

{verify_link}
"""


@frozen_dataclass
class _Names:
    """The names in the email. They were typed by a visitor and by a company."""

    signer_name: str
    template_name: str
    company_name: str

    def neutral(self, *, is_sample: bool) -> "_Names":
        """Returns names that cannot be a message to a stranger. `is_sample` means that we wrote the template's name."""
        return _Names(
            neutral_name(self.signer_name, "guest"),
            neutral_template_name(self.template_name, is_sample=is_sample),
            neutral_name(self.company_name, "the company"),
        )


def _signer_copy_email(
    record: SignedRecord, names: _Names, site_url: str, document_link: str, email_id: UUID | None
) -> Email:
    """Without `email_id`, this is the first copy. Its id is derived from the waiver, so that it is queued only once."""
    shown_names = {name: without_links(value) for name, value in asdict(names).items()}
    return Email(
        id=email_id or uuid5(record.id, "copy for the signer"),
        recipient=record.signer_email,
        subject=_SUBJECT.format(**shown_names),
        body=_BODY.format(
            **shown_names,
            signed_at=utc_and_local_time(record.signed_at, record.time_zone),
            document_link=document_link,
            verify_link=f"{site_url}/verify?waiver={record.id}",
        ),
        action="Verify the document",
        sender_name=" ".join(record.company_name.split()),
    )


async def latest_copy(
    database: Database, principal: Principal, waiver_id: UUID, now: datetime, *, secret: str | None = None
) -> store.SignerCopy | None:
    """Returns None while the document is being prepared; its email is queued together with the document.

    Raises DocumentFailed if the document cannot be made.
    """
    document = await find_readable_document(database, principal, waiver_id, now, secret=secret)
    if document.has_failed:
        raise DocumentFailed
    async with database.acting_as(SERVICE, read_only=True) as connection:
        return await store.latest_copy(connection, waiver_id)


async def send_copy_again(
    database: Database, documents: DocumentContext, waiver_id: UUID, failed_copy: store.SignerCopy
) -> bool:
    """Queue one more copy unless the limit is reached. Concurrent requests queue it once."""
    if failed_copy.count >= _MAX_COPIES:
        return False
    try:
        async with database.acting_as(SERVICE) as connection:
            record = await _record(connection, waiver_id)
            email_id = uuid5(waiver_id, f"copy {failed_copy.count}")
            await queue_copy(connection, record, documents.site_url, email_id)
    except UniqueViolationError:
        # A concurrent request has already queued the same copy.
        return True
    return True


async def wants_copy(database: Database, waiver_id: UUID) -> bool:
    """Returns False if a visitor signed a sample template and has not requested the copy."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        return await store.wants_copy(connection, waiver_id)


async def request_copy(database: Database, documents: DocumentContext, waiver_id: UUID) -> None:
    """Queues the first copy of a sample that a visitor signed.

    If the document does not exist yet, the request is recorded, and the copy is queued together with the document.
    """
    async with database.acting_as(SERVICE) as connection:
        if await store.wants_copy(connection, waiver_id):
            return
        if await store.request_copy(connection, waiver_id):
            record = await _record(connection, waiver_id)
            await queue_copy(connection, record, documents.site_url)


async def queue_copy(connection: Connection, record: SignedRecord, site_url: str, email_id: UUID | None = None) -> None:
    link = await create_document_link(connection, site_url, record.id)
    names = _Names(record.signer_name, record.template_name, record.company_name)
    author = await store.template_author(connection, record.id)
    if not author.is_confirmed:
        names = names.neutral(is_sample=author.has_sample_name)
    await add_email(
        connection, _signer_copy_email(record, names, site_url, link, email_id), company_id=record.company_id,
        attachment_type="pdf", attachment=(DOCUMENT_SOURCE, record.id), kind="copy", keep_retrying=True,
    )  # fmt: skip


async def _record(connection: Connection, waiver_id: UUID) -> SignedRecord:
    record = await store.signed_record(connection, waiver_id)
    assert record is not None, "signed waivers are never deleted"
    return record
