"""The SQL queries for notifications and for the signing page."""

from typing import Any
from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass

MAX_EMAIL_EVENTS = 200
"""How many events of emails the history of one session may contain. Most emails cause two."""


@frozen_dataclass
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
    assert row is not None, "signed waivers are never deleted"
    return SignedWaiver(**row)


async def session_to_sign(connection: Connection, session_id: str) -> dict[str, Any] | None:
    """Returns the session as JSON text for the page, and whether its company is suspended.

    Row security shows the row only because the request names its exact id.
    """
    row = await connection.fetchrow(
        """
        select json_build_object(
                   'id', id, 'status', status, 'template_id', template_id, 'template_name', template_name,
                   'template_description', template_description, 'template_content', template_content,
                   'recipient_name', recipient_name, 'recipient_email', recipient_email,
                   'company_id', company_id, 'company_name', company_name, 'expires_at', expires_at,
                   'form', form) as session,
               form is not null as has_form, status, company_name, accounts.is_suspended(company_id) as is_suspended
          from waiver_sessions
         where id::text = $1
        """,
        session_id,
    )
    return None if row is None else dict(row)


async def first_signature(connection: Connection, session_id: str) -> str | None:
    """Returns JSON text with the time of the first signature that was not erased, and the first name of its signer.

    Returns None if all signatures of the session were erased.
    """
    signature: str | None = await connection.fetchval(
        """
        select json_build_object('signed_at', w.signed_at, 'first_name', split_part(trim(w.signer_name), ' ', 1))
          from waivers.signed w
         where w.session_id = $1::uuid and w.erased_at is null
         order by w.signed_at
         limit 1
        """,
        session_id,
    )
    return signature


async def template_to_sign(connection: Connection, template_id: str, company_id: UUID | None) -> dict[str, Any] | None:
    row = await connection.fetchrow(
        """
        select json_build_object('id', id, 'name', name, 'description', description, 'content', content,
                                 'form', form) as template,
               form is not null as has_form,
               coalesce(company_id, $2) as company, accounts.is_suspended(coalesce(company_id, $2)) as is_suspended
          from waiver_templates
         where id = $1
        """,
        template_id, company_id,
    )  # fmt: skip
    return None if row is None else dict(row)


async def company_name(connection: Connection, company_id: UUID | None) -> str:
    name: str = await connection.fetchval("select accounts.company_name($1)", company_id)
    return name


async def embedding_websites(connection: Connection, company_id: UUID | None) -> list[str] | None:
    """Returns the origins that may embed the page, `["*"]` for any website, or None if the page has no company."""
    websites: list[str] | None = await connection.fetchval("select accounts.framed_by($1)", company_id)
    return websites


async def session_status(connection: Connection, session_id: UUID, company_id: UUID) -> str | None:
    """Returns the status of a session of the company, or None. A pending one whose link has expired is "expired"."""
    status: str | None = await connection.fetchval(
        """
        select case when status = 'pending' and expires_at <= now() then 'expired' else status end
          from waiver_sessions
         where id = $1 and company_id = $2
        """,
        session_id, company_id,
    )  # fmt: skip
    return status


async def has_max_email_events(connection: Connection, session_id: UUID) -> bool:
    """Returns True if no more emails about this session are sent."""
    has_max: bool = await connection.fetchval(
        "select waivers.has_max_email_events($1, $2)", session_id, MAX_EMAIL_EVENTS
    )
    return has_max


async def status_of_emailed_session(connection: Connection, email_id: UUID) -> str | None:
    """Returns the status of the session that the email is about, or None if it is about no session."""
    status: str | None = await connection.fetchval(
        """
        select s.status from messaging.sent_emails e join waivers.sessions s on s.id = e.session_id where e.id = $1
        """,
        email_id,
    )
    return status


async def consent_text(connection: Connection, language: str = "en") -> str:
    """Returns the newest consent text as JSON text. The page sends its version along with the signature."""
    consent: str = await connection.fetchval(
        """
        select json_build_object('version', version, 'language', language, 'text', text)
          from consent_texts
         where language = $1
         order by version desc
         limit 1
        """,
        language,
    )
    return consent
