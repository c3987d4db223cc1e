"""Reads a session whose link is sent from a signing page, and records the email address to which it is sent."""

from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass


@frozen_dataclass
class SessionToSend:
    id: UUID
    # None if a visitor opened the session from a sample, without a company.
    company_id: UUID | None
    company_name: str
    # The status of the session. A pending one whose link has expired is "expired".
    state: str
    is_suspended: bool
    # Whether the link was emailed or texted before.
    has_email: bool
    has_text: bool


async def lock_session_to_send(
    connection: Connection, session_id: UUID, *, invited_by: UUID | None, company_id: UUID | None
) -> SessionToSend | None:
    """Returns None if neither the session `invited_by` has invited this one, nor the company owns it.

    The lock makes a concurrent request wait.
    """
    row = await connection.fetchrow(
        "select * from waivers.lock_session_to_send($1, $2, $3)", session_id, invited_by, company_id
    )
    return None if row is None else SessionToSend(**row)


async def record_invited_email(connection: Connection, session_id: UUID, email: str) -> None:
    await connection.execute("select waivers.record_invited_email($1, $2)", session_id, email)
