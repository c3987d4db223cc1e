"""The only SQL of this room."""

import json
from dataclasses import dataclass
from uuid import UUID

from cairn.db import Connection
from cairn.messaging.email import Email, Receipt


@dataclass(frozen=True, slots=True)
class EmailState:
    status: str
    error: str | None


async def add_email(
    connection: Connection,
    email: Email,
    *,
    company_id: UUID | None,
    session_id: UUID | None = None,
    attachment_type: str = "link",
) -> None:
    """Asks for the mail to be sent: a trigger raises `email.requested` in the same transaction."""
    await connection.execute(
        """
        insert into emails (id, company_id, session_id, recipient, subject, body, action, sender_name, reply_to,
                            attachment_type)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        """,
        email.id, company_id, session_id, email.recipient, email.subject, email.body, email.action,
        email.sender_name, email.reply_to, attachment_type,
    )  # fmt: skip


async def unsent_email(connection: Connection, email_id: UUID) -> Email | None:
    """None once it has been sent, kept or given up."""
    row = await connection.fetchrow(
        """
        select id, recipient, subject, body, action, sender_name, reply_to
          from emails
         where id = $1 and status = 'sending'
        """,
        email_id,
    )
    return None if row is None else Email(**row)


async def email_state(connection: Connection, email_id: UUID) -> EmailState:
    row = await connection.fetchrow("select status, error from emails where id = $1", email_id)
    assert row is not None, "asked for the state of a mail that was never written"
    return EmailState(**row)


async def note_receipt(connection: Connection, email_id: UUID, receipt: Receipt) -> None:
    await connection.execute(
        """
        update emails
           set status = $2, message_id = $3, error = null, attempts = attempts + 1, sent_at = now()
         where id = $1
        """,
        email_id, receipt.status, receipt.message_id,
    )  # fmt: skip


async def note_failure(connection: Connection, email_id: UUID, reason: str, *, final: bool) -> None:
    await connection.execute(
        """
        update emails
           set status = case when $3 then 'failed' else status end, error = $2, attempts = attempts + 1
         where id = $1
        """,
        email_id, reason, final,
    )  # fmt: skip


async def add_notification(
    connection: Connection, *, company_id: UUID, about: UUID, title: str, message: str, data: dict[str, str]
) -> None:
    """Once per fact, however often the job that tells it runs."""
    await connection.execute(
        """
        insert into notifications (company_id, about, title, message, data)
        values ($1, $2, $3, $4, $5)
        on conflict (company_id, about) do nothing
        """,
        company_id, about, title, message, json.dumps(data),
    )  # fmt: skip
