"""The only SQL of this room that is not in its migrations."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from cairn.db import Connection


@dataclass(frozen=True, slots=True)
class SignedWaiver:
    id: UUID
    session_id: UUID
    company_id: UUID | None
    template_name: str
    signer_name: str


async def signed_waiver(connection: Connection, waiver_id: UUID) -> SignedWaiver:
    row = await connection.fetchrow(
        "select id, session_id, company_id, template_name, signer_name from signed_waivers where id = $1", waiver_id
    )
    assert row is not None, "a signed waiver never goes away"
    return SignedWaiver(**row)


async def session_to_sign(connection: Connection, session_id: str) -> str | None:
    """As JSON text, ready for the page; seen only because the caller named the exact id."""
    found: str | None = await connection.fetchval(
        """
        select json_build_object(
                   'id', id, 'status', status, 'template_id', template_id, 'template_name', template_name,
                   'template_description', template_description, 'template_content', template_content,
                   'recipient_name', recipient_name, 'recipient_email', recipient_email,
                   'company_id', company_id, 'company_name', company_name, 'expires_at', expires_at)
          from waiver_sessions
         where id::text = $1
        """,
        session_id,
    )
    return found


async def template_to_sign(connection: Connection, template_id: str, company: UUID | None) -> dict[str, Any] | None:
    row = await connection.fetchrow(
        """
        select json_build_object('id', id, 'name', name, 'description', description, 'content', content) as template,
               coalesce(company_id, $2) as company
          from waiver_templates
         where id = $1
        """,
        template_id, company,
    )  # fmt: skip
    return None if row is None else dict(row)


async def company_name(connection: Connection, company: UUID | None) -> str:
    name: str = await connection.fetchval("select accounts.company_name($1)", company)
    return name


async def framed_by(connection: Connection, company: UUID | None) -> list[str] | None:
    """Origins, or a star for any website; None where no company stands behind the page."""
    websites: list[str] | None = await connection.fetchval("select accounts.framed_by($1)", company)
    return websites


async def owns_session(connection: Connection, session_id: UUID, company_id: UUID) -> bool:
    found: bool = await connection.fetchval(
        "select exists (select from waiver_sessions where id = $1 and company_id = $2)", session_id, company_id
    )
    return found


async def consent_text(connection: Connection, language: str = "en") -> str:
    """The newest, as JSON text: what the page shows beside its box, and the version to send back with the signature."""
    found: str = await connection.fetchval(
        """
        select json_build_object('version', version, 'language', language, 'text', text)
          from consent_texts
         where language = $1
         order by version desc
         limit 1
        """,
        language,
    )
    return found
