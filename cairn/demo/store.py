"""The only SQL here: what asks for the owner of the database."""

from datetime import timedelta
from uuid import UUID

from cairn.db import Connection


async def set_back(connection: Connection, session_id: UUID, by: timedelta) -> None:
    """A sending that nobody has signed, as if made earlier, with everything that tells when.

    A signature keeps the moment at which it was made: not even for samples is one written that says otherwise.
    """
    await connection.execute(
        """
        with sent as (
            update waivers.sessions set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
             where id = $1 and status = 'pending'
            returning id
        ), told as (
            update sent_waivers set sent_at = sent_at - $2::interval where session_id in (select id from sent)
        ), mailed as (
            update emails set created_at = created_at - $2::interval, sent_at = sent_at - $2::interval
             where session_id in (select id from sent)
        )
        update waivers.audit_events
           set at = at - $2::interval, hash = waivers.audit_hash(previous, session_id, name, facts, at - $2::interval)
         where session_id in (select id from sent)
        """,
        session_id, by,
    )  # fmt: skip


async def documents_missing(connection: Connection, company_id: UUID) -> int:
    missing: int = await connection.fetchval(
        "select count(*) from waivers.signed where company_id = $1 and document_path is null", company_id
    )
    return missing
