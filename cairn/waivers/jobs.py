"""Defines the jobs of waivers, such as those after a signature, and the functions that the email job calls."""

from typing import Any
from uuid import UUID

from cairn.accounts import companies_with_push
from cairn.db import SERVICE, Database
from cairn.jobs import Job, Queue
from cairn.messaging import (
    PROVIDERS_QUEUE,
    Attachment,
    AttachmentSources,
    CancellationChecks,
    PushFailed,
    PushSender,
)
from cairn.waivers import store
from cairn.waivers.documents import (
    DOCUMENT_SOURCE,
    FORM_SOURCE,
    MAX_TRIES,
    DocumentContext,
    Seal,
    document_path,
    document_to_attach,
    interactive_form_to_attach,
    next_document,
    prepare_when_storable,
)
from cairn.waivers.notify_company import notify_company
from cairn.waivers.notify_erasure_request import notify_erasure_request
from cairn.waivers.push_to_company import push_to_company
from cairn.waivers.reminders import reason_not_to_send, write_reminder

# A company may have thousands of reminders at once. Here they delay neither its notifications nor its webhooks.
_REMINDERS_QUEUE = Queue("reminders", 4, concurrency_per_company=2)


def jobs(database: Database, documents: DocumentContext, seal: Seal, push_sender: PushSender) -> list[Job]:
    size = documents.rendering.size
    documents_queue = Queue("documents", size.processes, size.processes_per_key)

    # The waivers whose documents are being prepared.
    preparing: set[UUID] = set()

    async def notify(payload: dict[str, Any], _is_last_try: bool) -> None:
        await notify_company(database, UUID(payload["waiver_id"]), documents.site_url)

    async def push(payload: dict[str, Any], is_last_try: bool) -> None:
        try:
            await push_to_company(database, push_sender, UUID(payload["waiver_id"]))
        except PushFailed:
            # A browser that stays unreachable still finds the notification on the dashboard.
            if not is_last_try:
                raise

    async def prepare(payload: dict[str, Any], is_last_try: bool) -> None:
        try:
            await _prepare_next_document(database, documents, seal, UUID(payload["waiver_id"]), preparing)
        except Exception:
            # After the last try the job ends without an error, because `retry_overdue_documents` continues.
            if not is_last_try:
                raise

    async def erase_document(payload: dict[str, Any], _is_last_try: bool) -> None:
        await documents.erase(document_path(payload["company_id"], payload["waiver_id"]))

    async def remind(payload: dict[str, Any], is_last_try: bool) -> None:
        await write_reminder(
            database, documents.site_url, UUID(payload["reminder_id"]), documents.messaging, is_last_try=is_last_try
        )

    return [
        Job("waivers.notify_company", on="waiver.signed", run=notify, former_names=("waivers.tell_company",)),
        Job(
            "waivers.push_to_company",
            on="waiver.signed",
            run=push,
            max_tries=5,
            queue=PROVIDERS_QUEUE,
            companies_with_work=companies_with_push,
        ),
        Job("waivers.prepare_document", on="waiver.signed", run=prepare, max_tries=MAX_TRIES, queue=documents_queue),
        _notify_request_job(database, documents.site_url),
        Job("waivers.erase_document", on="waiver.erased", run=erase_document),
        Job("waivers.write_reminder", on="reminder.requested", run=remind, queue=_REMINDERS_QUEUE),
    ]


def _notify_request_job(database: Database, site_url: str) -> Job:
    async def notify(payload: dict[str, Any], _is_last_try: bool) -> None:
        await notify_erasure_request(database, UUID(payload["request_id"]), UUID(payload["company_id"]), site_url)

    return Job("waivers.notify_erasure_request", on="erasure.requested", run=notify)


async def _prepare_next_document(
    database: Database, documents: DocumentContext, seal: Seal, waiver_id: UUID, preparing: set[UUID]
) -> None:
    """Prepares the document of `waiver_id`, or that of another waiver which should not wait any longer.

    `next_document` explains the choice. `preparing` are the waivers whose documents other jobs are preparing.
    """
    is_own_prepared = False
    while True:
        chosen_id = await next_document(database, waiver_id, preparing)
        if chosen_id is None or (is_own_prepared and chosen_id == waiver_id):
            return
        preparing.add(chosen_id)
        try:
            if await prepare_when_storable(database, documents, seal, chosen_id):
                return
        finally:
            preparing.discard(chosen_id)
        # Another job has prepared this document, perhaps instead of the one of its own waiver. The waiver of that job
        # may be without a job now, so this job goes on.
        is_own_prepared |= chosen_id == waiver_id


def attachment_sources(database: Database, documents: DocumentContext) -> AttachmentSources:
    """The email job calls these functions to get the documents and interactive forms that it attaches."""

    async def document(waiver_id: UUID) -> Attachment:
        return await document_to_attach(database, documents, waiver_id)

    async def form(session_id: UUID) -> Attachment:
        return await interactive_form_to_attach(database, documents, session_id)

    return {DOCUMENT_SOURCE: document, FORM_SOURCE: form}


def cancellation_checks(database: Database) -> CancellationChecks:
    """The email job calls these functions just before it sends an email. A returned reason cancels the email."""

    async def check_reminder(reminder_id: UUID) -> str | None:
        return await reason_not_to_send(database, reminder_id)

    async def check_invitation(email_id: UUID) -> str | None:
        async with database.acting_as(SERVICE, read_only=True) as connection:
            status = await store.status_of_emailed_session(connection, email_id)
        return "Not sent: the waiver was cancelled in the meantime." if status == "cancelled" else None

    return {"reminder": check_reminder, "message": check_invitation}
