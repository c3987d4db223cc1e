"""Reads the session of an adult whom a guest has invited to sign a waiver of their own, and sets its email address."""

from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass


@frozen_dataclass
class InvitedSession:
    # None if the waiver is a sample that belongs to no company.
    company_id: UUID | None
    company_name: str
    # The status of the session. A pending one whose link has expired is "expired".
    state: str
    is_suspended: bool
    # Whether the link was emailed or texted before.
    has_email: bool
    has_text: bool


async def lock_invited_session(connection: Connection, invited_id: UUID, inviting_id: UUID) -> InvitedSession | None:
    """Returns None if the second session has not invited the first. The lock makes a concurrent request wait."""
    row = await connection.fetchrow("select * from waivers.lock_invited_session($1, $2)", invited_id, inviting_id)
    return None if row is None else InvitedSession(**row)


async def record_invited_email(connection: Connection, invited_id: UUID, email: str) -> None:
    await connection.execute("select waivers.record_invited_email($1, $2)", invited_id, email)
