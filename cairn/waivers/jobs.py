"""What follows from a signature, and from being asked to remind."""

import contextlib
from typing import Any
from uuid import UUID

from cairn.db import Database
from cairn.jobs import Job
from cairn.messaging import Attachment, AttachmentSources, MessagingSettings, Objections, Pusher, PushFailed
from cairn.waivers.documents import (
    DOCUMENT_SOURCE,
    FORM_SOURCE,
    DocumentContext,
    Seal,
    document_to_attach,
    form_to_attach,
    prepare_document,
)
from cairn.waivers.push import push_to_company
from cairn.waivers.reminders import objection, write_reminder
from cairn.waivers.tell import tell_company


def jobs(
    database: Database, documents: DocumentContext, seal: Seal, pusher: Pusher, messaging: MessagingSettings
) -> list[Job]:
    texts = messaging.texts if messaging.offers_texts else None

    async def tell(facts: dict[str, Any], _last_try: bool) -> None:
        await tell_company(database, UUID(facts["waiver_id"]), documents.site_url)

    async def push(facts: dict[str, Any], last_try: bool) -> None:
        # A browser that cannot be reached for minutes learns it from the notifier.
        with contextlib.suppress(PushFailed) if last_try else contextlib.nullcontext():
            await push_to_company(database, pusher, UUID(facts["waiver_id"]))

    async def prepare(facts: dict[str, Any], last_try: bool) -> None:
        # After the last try it is not given up: the chase goes on from what was written down.
        with contextlib.suppress(Exception) if last_try else contextlib.nullcontext():
            await prepare_document(database, documents, seal, UUID(facts["waiver_id"]))

    async def remind(facts: dict[str, Any], last_try: bool) -> None:
        await write_reminder(database, documents.site_url, UUID(facts["reminder_id"]), last_try=last_try, texts=texts)

    return [
        Job("waivers.tell_company", on="waiver.signed", run=tell),
        Job("waivers.push_to_company", on="waiver.signed", run=push, tries=5),
        Job("waivers.prepare_document", on="waiver.signed", run=prepare, tries=4),
        # A thousand at once do not keep the one waiting who has just pressed Send.
        Job("waivers.write_reminder", on="reminder.requested", run=remind, priority=-10),
    ]


def attachment_sources(database: Database, documents: DocumentContext) -> AttachmentSources:
    """What this room hangs on mails when they go out."""

    async def document(waiver_id: UUID) -> Attachment:
        return await document_to_attach(database, documents, waiver_id)

    async def form(session_id: UUID) -> Attachment:
        return await form_to_attach(database, documents, session_id)

    return {DOCUMENT_SOURCE: document, FORM_SOURCE: form}


def objections(database: Database) -> Objections:
    """What speaks against a mail of this room when it is about to go out."""

    async def to_reminder(reminder_id: UUID) -> str | None:
        return await objection(database, reminder_id)

    return {"reminder": to_reminder}
