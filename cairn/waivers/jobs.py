"""What follows from a signature."""

import contextlib
from typing import Any
from uuid import UUID

from cairn.db import Database
from cairn.jobs import Job
from cairn.messaging import Attachment, AttachmentSources
from cairn.waivers.documents import (
    DOCUMENT_SOURCE,
    FORM_SOURCE,
    Desk,
    Seal,
    document_to_attach,
    form_to_attach,
    prepare_document,
)
from cairn.waivers.tell import tell_company


def jobs(database: Database, desk: Desk, seal: Seal) -> list[Job]:
    async def tell(facts: dict[str, Any], _last_try: bool) -> None:
        await tell_company(database, UUID(facts["waiver_id"]), desk.site_url)

    async def prepare(facts: dict[str, Any], last_try: bool) -> None:
        # After the last try it is not given up: the chase goes on from what was written down.
        with contextlib.suppress(Exception) if last_try else contextlib.nullcontext():
            await prepare_document(database, desk, seal, UUID(facts["waiver_id"]))

    return [
        Job("waivers.tell_company", on="waiver.signed", run=tell),
        Job("waivers.prepare_document", on="waiver.signed", run=prepare, tries=4),
    ]


def attachment_sources(database: Database, desk: Desk) -> AttachmentSources:
    """What this room hangs on mails when they go out."""

    async def document(waiver_id: UUID) -> Attachment:
        return await document_to_attach(database, desk, waiver_id)

    async def form(session_id: UUID) -> Attachment:
        return await form_to_attach(database, desk, session_id)

    return {DOCUMENT_SOURCE: document, FORM_SOURCE: form}
