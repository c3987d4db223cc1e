"""Renders the interactive form of a session or a template for callers who may read it."""

from uuid import UUID

from cairn.db import SERVICE, Connection, Database, Principal
from cairn.messaging import Attachment
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.download_document import file_name
from cairn.waivers.documents.errors import DocumentMissing
from cairn.waivers.documents.rendering import FormContent

# The email job looks up the interactive form under this attachment source.
FORM_SOURCE = "waiver-form"


async def interactive_form_for_session(
    database: Database, documents: DocumentContext, principal: Principal, session_id: UUID, *, network: str
) -> Attachment:
    async with database.acting_as(principal, read_only=True) as connection:
        session = await _find_session(connection, session_id)
    return await _render(documents, _session_content(session, documents), network)


async def interactive_form_for_template(
    database: Database, documents: DocumentContext, principal: Principal, template_id: str, *, network: str
) -> Attachment:
    """A preview that looks like the form that is sent, but with the template's public link instead of a session's."""
    async with database.acting_as(principal, read_only=True) as connection:
        template = await store.template(connection, template_id)
    if template is None:
        raise DocumentMissing
    content = FormContent(**template, link=f"{documents.site_url}/waivers/sign/{template_id}")
    return await _render(documents, content, network)


async def interactive_form_to_attach(database: Database, documents: DocumentContext, session_id: UUID) -> Attachment:
    """Renders the interactive form for an email. Companies take turns, so that one does not delay the others."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        session = await _find_session(connection, session_id)
    return await _render(documents, _session_content(session, documents), str(session.company_id))


async def _find_session(connection: Connection, session_id: UUID) -> store.UnsignedSession:
    session = await store.unsigned_session(connection, session_id)
    if session is None:
        raise DocumentMissing
    return session


def _session_content(session: store.UnsignedSession, documents: DocumentContext) -> FormContent:
    return FormContent(
        template_name=session.template_name,
        company_name=session.company_name,
        content=session.template_content,
        link=f"{documents.site_url}/waivers/sign/session/{session.id}",
        recipient_name=session.recipient_name or "",
        recipient_email=session.recipient_email or "",
    )


async def _render(documents: DocumentContext, content: FormContent, key: str) -> Attachment:
    pdf = await documents.render_form(content, key)
    return Attachment(f"{file_name(content.template_name)} (to sign).pdf", "application/pdf", pdf)
