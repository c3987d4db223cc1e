"""From a signed record to its sealed document: rendered once, stored once, mailed once, however often this runs."""

import hashlib
import logging
from datetime import timedelta
from uuid import UUID, uuid5

from cairn.db import SERVICE, Database
from cairn.messaging import Email, add_email
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.record import Record
from cairn.waivers.documents.seal import Seal
from cairn.waivers.documents.timeline import both_times

log = logging.getLogger(__name__)

# Where the mail job finds what to attach.
DOCUMENT_SOURCE = "waiver-document"
# The job of the signature has had its chance by then.
_OVERDUE_AFTER = timedelta(seconds=20)
SUBJECT = "Your signed waiver: {template_name}"
BODY = """\
Hello {signer_name},

you signed "{template_name}" for {company_name} on {signed_at}. The signed document is attached; please keep it.

It is sealed, so that any later change can be detected. Anyone can check that here:

{verify_link}
"""


async def prepare_document(database: Database, documents: DocumentContext, seal: Seal, waiver_id: UUID) -> None:
    """A failure is written down for `doctor` and raised for whoever retries; the signature itself is safe all along."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        record = await store.record(connection, waiver_id)
    assert record is not None, "a signed waiver never goes away"
    if record.document_path is not None:
        return
    try:
        document = await documents.document(record, seal)
    except Exception as error:
        async with database.acting_as(SERVICE) as connection:
            await store.note_failure(connection, waiver_id, f"{type(error).__name__}: {error}"[:1000])
        raise
    sha256 = hashlib.sha256(document).hexdigest()
    async with database.acting_as(SERVICE) as connection:
        await store.remember_certificate(connection, seal.fingerprint, seal.certificate_pem.decode())
        if await store.store_document(connection, waiver_id, record.filed_as, sha256, seal.fingerprint):
            await add_email(
                connection, copy_for_the_signer(record, documents.site_url), company_id=record.company_id,
                attachment_type="pdf", attachment=(DOCUMENT_SOURCE, waiver_id), patient=True,
            )  # fmt: skip


def copy_for_the_signer(record: Record, site_url: str, email_id: UUID | None = None) -> Email:
    """The first one has the same id however often it is asked for."""
    names = {"signer_name": record.signer_name, "template_name": record.template_name}
    return Email(
        id=email_id or uuid5(record.id, "copy for the signer"),
        recipient=record.signer_email,
        # A header is one line, whatever the template is called.
        subject=" ".join(SUBJECT.format(**names).split()),
        body=BODY.format(
            **names,
            company_name=record.company_name,
            signed_at=both_times(record.signed_at, record.time_zone),
            verify_link=f"{site_url}/verify?waiver={record.id}",
        ),
        action="Verify the document",
        sender_name=" ".join(record.company_name.split()),
    )


async def chase_documents(database: Database, documents: DocumentContext, seal: Seal) -> None:
    """The net under the jobs: whatever has no document yet is tried again, ever more rarely, and never given up."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        waivers = await store.overdue(connection, older_than=_OVERDUE_AFTER)
    for waiver_id in waivers:
        try:
            await prepare_document(database, documents, seal, waiver_id)
        except Exception:
            log.exception("the document of waiver %s could not be prepared", waiver_id)
