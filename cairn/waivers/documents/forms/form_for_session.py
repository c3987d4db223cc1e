"""Renders the interactive PDF form of a session or a template for callers who may read it."""

import asyncio
from uuid import UUID

from cairn.db import SERVICE, Connection, Database, Principal
from cairn.messaging import Attachment
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.download_document import file_name
from cairn.waivers.documents.errors import DocumentMissing
from cairn.waivers.documents.forms.interactive_form import FormContent, interactive_pdf

# The email job looks up the form under this attachment source.
FORM_SOURCE = "waiver-form"


async def form_for_session(
    database: Database, documents: DocumentContext, principal: Principal, session_id: UUID
) -> Attachment:
    async with database.acting_as(principal, read_only=True) as connection:
        content = await _session_content(connection, documents, session_id)
    return await _render(documents, content)


async def form_for_template(
    database: Database, documents: DocumentContext, principal: Principal, template_id: str
) -> Attachment:
    """A preview that looks like the form that is sent, but with the template's public link instead of a session's."""
    async with database.acting_as(principal, read_only=True) as connection:
        template = await store.template(connection, template_id)
    if template is None:
        raise DocumentMissing
    return await _render(documents, FormContent(**template, link=f"{documents.site_url}/waivers/sign/{template_id}"))


async def form_to_attach(database: Database, documents: DocumentContext, session_id: UUID) -> Attachment:
    return await form_for_session(database, documents, SERVICE, session_id)


async def _session_content(connection: Connection, documents: DocumentContext, session_id: UUID) -> FormContent:
    session = await store.unsigned_session(connection, session_id)
    if session is None:
        raise DocumentMissing
    return FormContent(
        template_name=session.template_name,
        company_name=session.company_name,
        content=session.template_content,
        link=f"{documents.site_url}/waivers/sign/session/{session.id}",
        recipient_name=session.recipient_name or "",
        recipient_email=session.recipient_email or "",
    )


async def _render(documents: DocumentContext, content: FormContent) -> Attachment:
    pdf = await asyncio.to_thread(interactive_pdf, documents.renderer, content)
    return Attachment(f"{file_name(content.template_name)} (to sign).pdf", "application/pdf", pdf)
