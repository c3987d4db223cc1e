"""The interactive PDF of a session or of a template, for those who may see them."""

import asyncio
from uuid import UUID

from cairn.db import SERVICE, Connection, Database, Principal
from cairn.messaging import Attachment
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.errors import DocumentMissing
from cairn.waivers.documents.fetch import file_name
from cairn.waivers.documents.form import FormWords, interactive_pdf

# Where the mail job finds what to attach.
FORM_SOURCE = "waiver-form"


async def form_of_session(
    database: Database, documents: DocumentContext, principal: Principal, session_id: UUID
) -> Attachment:
    async with database.acting_as(principal, read_only=True) as connection:
        words = await _session_words(connection, documents, session_id)
    return await _printed(documents, words)


async def form_of_template(
    database: Database, documents: DocumentContext, principal: Principal, template_id: str
) -> Attachment:
    """A preview: laid out as the one that is sent, with the public link where a session's own will be."""
    async with database.acting_as(principal, read_only=True) as connection:
        template = await store.template(connection, template_id)
    if template is None:
        raise DocumentMissing
    return await _printed(documents, FormWords(**template, link=f"{documents.site_url}/waivers/sign/{template_id}"))


async def form_to_attach(database: Database, documents: DocumentContext, session_id: UUID) -> Attachment:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        words = await _session_words(connection, documents, session_id)
    return await _printed(documents, words)


async def _session_words(connection: Connection, documents: DocumentContext, session_id: UUID) -> FormWords:
    session = await store.unsigned(connection, session_id)
    if session is None:
        raise DocumentMissing
    return FormWords(
        template_name=session.template_name,
        company_name=session.company_name,
        content=session.template_content,
        link=f"{documents.site_url}/waivers/sign/session/{session.id}",
        recipient_name=session.recipient_name or "",
        recipient_email=session.recipient_email or "",
    )


async def _printed(documents: DocumentContext, words: FormWords) -> Attachment:
    pdf = await asyncio.to_thread(interactive_pdf, documents.renderer, words)
    return Attachment(f"{file_name(words.template_name)} (to sign).pdf", "application/pdf", pdf)
