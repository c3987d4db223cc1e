"""The only SQL of this room."""

import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from cairn.db import Connection
from cairn.messaging.email import Email, Receipt
from cairn.messaging.sms import TextMessage


@dataclass(frozen=True, slots=True)
class Unsent:
    email: Email
    # Who keeps what is to be attached, and under which id.
    attachment: tuple[str, UUID] | None
    patient: bool


@dataclass(frozen=True, slots=True)
class EmailState:
    status: str
    error: str | None


@dataclass(frozen=True, slots=True)
class KeptEmail:
    recipient: str
    subject: str
    body: str
    created_at: datetime


async def add_email(
    connection: Connection,
    email: Email,
    *,
    company_id: UUID | None,
    session_id: UUID | None = None,
    attachment_type: str = "link",
    attachment: tuple[str, UUID] | None = None,
    patient: bool = False,
    secret: bool = False,
) -> None:
    """Asks for the mail to be sent: a trigger raises `email.requested` in the same transaction.

    `attachment` names a source and an id; the bytes are fetched when the mail goes out. A `patient` mail has nobody
    waiting for an answer, so it is tried until the mail server takes or refuses it. `secret`: its words are a key, and
    are forgotten once they were handed over.
    """
    await connection.execute(
        """
        insert into emails (id, company_id, session_id, recipient, subject, body, action, sender_name, reply_to,
                            attachment_type, attachment_source, attachment_id, patient, secret)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        """,
        email.id, company_id, session_id, email.recipient, email.subject, email.body, email.action,
        email.sender_name, email.reply_to, attachment_type, *(attachment or (None, None)), patient, secret,
    )  # fmt: skip


async def unsent_email(connection: Connection, email_id: UUID) -> Unsent | None:
    """None once it has been sent, kept or given up."""
    row = await connection.fetchrow(
        """
        select id, recipient, subject, body, action, sender_name, reply_to, attachment_source, attachment_id, patient
          from emails
         where id = $1 and status = 'sending'
        """,
        email_id,
    )
    if row is None:
        return None
    *words, source, attachment_id, patient = row
    return Unsent(Email(*words), (source, attachment_id) if source else None, patient)


async def claim_patient_emails(connection: Connection, *, limit: int = 20) -> list[UUID]:
    """Those whose next try is due; taking them puts it off, so that no two workers try one at the same time."""
    rows = await connection.fetch(
        """
        update emails set tried_at = now()
         where id in (select id
                        from emails
                       where patient and status = 'sending'
                         and coalesce(tried_at, created_at)
                             < now() - least(interval '1 hour', interval '1 minute' * 2 ^ least(attempts / 3, 6))
                       order by created_at
                       limit $1
                         for update skip locked)
        returning id
        """,
        limit,
    )
    return [row["id"] for row in rows]


async def email_state(connection: Connection, email_id: UUID) -> EmailState:
    row = await connection.fetchrow("select status, error from emails where id = $1", email_id)
    assert row is not None, "asked for the state of a mail that was never written"
    return EmailState(**row)


async def note_receipt(connection: Connection, email_id: UUID, receipt: Receipt) -> None:
    await connection.execute(
        """
        update emails
           set status = $2, message_id = $3, error = null, attempts = attempts + 1, sent_at = now(),
               body = case when secret and $2 <> 'kept' then '' else body end
         where id = $1
        """,
        email_id, receipt.status, receipt.message_id,
    )  # fmt: skip


async def note_failure(connection: Connection, email_id: UUID, reason: str, *, final: bool) -> None:
    await connection.execute(
        """
        update emails
           set status = case when $3 then 'failed' else status end, error = $2, attempts = attempts + 1,
               tried_at = now(), body = case when secret and $3 then '' else body end
         where id = $1
        """,
        email_id, reason, final,
    )  # fmt: skip


async def kept_emails(connection: Connection, limit: int) -> list[KeptEmail]:
    """What waits in the local mailbox, newest first."""
    rows = await connection.fetch(
        """
        select recipient, subject, body, created_at
          from emails
         where status = 'kept'
         order by created_at desc
         limit $1
        """,
        limit,
    )
    return [KeptEmail(**row) for row in rows]


async def add_text_message(
    connection: Connection, message_id: UUID, recipient: str, body: str, *, channel: str = "sms"
) -> None:
    """Asks for it to be sent: a trigger raises `text_message.requested` in the same transaction."""
    await connection.execute(
        "insert into text_messages (id, recipient, body, channel) values ($1, $2, $3, $4)",
        message_id, recipient, body, channel,
    )  # fmt: skip


async def unsent_text_message(connection: Connection, message_id: UUID) -> TextMessage | None:
    row = await connection.fetchrow(
        "select id, recipient, body, channel from text_messages where id = $1 and status = 'sending'", message_id
    )
    return None if row is None else TextMessage(**row)


async def note_text_receipt(connection: Connection, message_id: UUID, receipt: str) -> None:
    """The words are forgotten: they were a code."""
    await connection.execute(
        """
        update text_messages
           set status = 'delivered', message_id = $2, error = null, attempts = attempts + 1, sent_at = now(), body = ''
         where id = $1
        """,
        message_id, receipt,
    )  # fmt: skip


async def note_text_failure(connection: Connection, message_id: UUID, reason: str, *, final: bool) -> None:
    await connection.execute(
        """
        update text_messages
           set status = case when $3 then 'failed' else status end, error = $2, attempts = attempts + 1,
               body = case when $3 then '' else body end
         where id = $1
        """,
        message_id, reason, final,
    )  # fmt: skip


async def add_notification(
    connection: Connection, *, company_id: UUID, about: UUID, title: str, message: str, data: dict[str, str]
) -> bool:
    """Once per fact, however often the job that tells it runs; True for the run that told it."""
    added = await connection.fetchval(
        """
        insert into notifications (company_id, about, title, message, data)
        values ($1, $2, $3, $4, $5)
        on conflict (company_id, about) do nothing
        returning id
        """,
        company_id, about, title, message, json.dumps(data),
    )  # fmt: skip
    return added is not None
