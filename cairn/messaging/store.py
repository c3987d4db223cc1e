"""SQL for emails and notifications."""

import json
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass
from cairn.messaging.configuration import Provider
from cairn.messaging.email import Email, Receipt
from cairn.messaging.suppression import Scope, scope_of

Kind: TypeAlias = Literal["message", "reminder", "test", "copy"]
# The columns that are also fields of `Email`.
_EMAIL_COLUMNS = (
    "id", "recipient", "subject", "body", "action", "sender_name", "reply_to", "attachment_type", "unsubscribe_url",
)  # fmt: skip


@frozen_dataclass
class UnsentEmail:
    email: Email
    kind: str
    company_id: UUID | None
    # The name of the source from which the attachment is fetched, and its id there.
    attachment: tuple[str, UUID] | None
    keep_retrying: bool
    not_after: datetime | None
    attempts: int
    # True if the email was queued while the company's emails could not leave the server.
    stays_local: bool
    # A suppression in this scope stops the email.
    scope: Scope

    @property
    def only_once(self) -> bool:
        """Reminders are sent at most once; all other emails at least once."""
        return self.kind == "reminder"


@frozen_dataclass
class EmailState:
    status: str
    error: str | None
    provider: str | None


@frozen_dataclass
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
    about: UUID | None = None,
    attachment_type: str = "link",
    attachment: tuple[str, UUID] | None = None,
    kind: Kind = "message",
    keep_retrying: bool = False,
    not_after: datetime | None = None,
    secret: bool = False,
    stays_local: bool = False,
    cancelled_because: str | None = None,
) -> None:
    """Requests that the email is sent: a trigger raises an event in the same transaction. Idempotent by id.

    `about` is the id of what the email is about, if that is neither the session nor the attachment. The email is erased
    together with it.
    `attachment` is the name of a source and an id. The content is fetched when the email is sent. If `attachment_type`
    is `link`, nothing is attached, and the body has a link to the content instead.
    `keep_retrying` is for emails that no user is waiting for. They are retried until the provider accepts or refuses
    them. The column is called `patient`.
    The body of a `secret` email contains a link or a code that grants access. The body is deleted after the delivery.
    An email that `stays_local` is kept in the local mailbox, even if there is a mail server by the time it is sent.
    An email with `cancelled_because` is not sent; the company sees the reason.
    """
    attachment_source, attachment_id = attachment or (None, None)
    await connection.execute(
        """
        insert into emails (id, company_id, session_id, recipient, subject, body, action, sender_name, reply_to,
                            unsubscribe_url, attachment_type, attachment_source, attachment_id, kind, patient,
                            not_after, secret, stays_local, about_id, status, error)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
                case when $20::text is null then 'sending' else 'cancelled' end, $20)
        on conflict (id) do nothing
        """,
        email.id, company_id, session_id, email.recipient, email.subject, email.body, email.action,
        email.sender_name, email.reply_to, email.unsubscribe_url, attachment_type, attachment_source, attachment_id,
        kind, keep_retrying, not_after, secret, stays_local, about, cancelled_because,
    )  # fmt: skip


async def unsent_email(connection: Connection, email_id: UUID) -> UnsentEmail | None:
    """Returns None if the email is no longer `sending`.

    Sender name and reply address are the current ones of the company, not those from when the email was requested. If
    the company has not confirmed its address, the sender name is that of the request, because it may be neutral.
    """
    row = await connection.fetchrow(
        """
        select e.id, e.recipient, e.subject, e.body, e.action,
               accounts.safe_sender_name(case when accounts.has_confirmed_address(e.company_id)
                                              then coalesce(c.sender_name, e.sender_name)
                                              else coalesce(e.sender_name, c.sender_name) end) as sender_name,
               coalesce(c.reply_to, e.reply_to) as reply_to, e.attachment_type, e.unsubscribe_url,
               e.kind, e.company_id, e.attachment_source, e.attachment_id, e.patient, e.not_after,
               e.attempts, e.stays_local, e.secret
          from emails e
          left join accounts.mail_settings c on c.company_id = e.company_id
         where e.id = $1 and e.status = 'sending'
        """,
        email_id,
    )
    if row is None:
        return None
    return UnsentEmail(
        email=Email(**{name: row[name] for name in _EMAIL_COLUMNS}),
        kind=row["kind"],
        company_id=row["company_id"],
        attachment=(row["attachment_source"], row["attachment_id"]) if row["attachment_source"] else None,
        keep_retrying=row["patient"],
        not_after=row["not_after"],
        attempts=row["attempts"],
        stays_local=row["stays_local"],
        scope=scope_of(company_id=row["company_id"], has_secret=row["secret"]),
    )


async def lock_email(connection: Connection, email_id: UUID) -> None:
    """Makes other transactions that lock this email wait until this one has ended. The email need not exist yet."""
    await connection.execute("select pg_advisory_xact_lock(hashtextextended('email ' || $1::uuid, 0))", email_id)


async def email_exists(connection: Connection, email_id: UUID) -> bool:
    exists: bool = await connection.fetchval("select exists (select from emails where id = $1)", email_id)
    return exists


async def claim_email(connection: Connection, email_id: UUID) -> bool:
    """Returns True if the caller may send the email. No other caller may send it until the outcome is recorded."""
    claimed: bool | None = await connection.fetchval(
        "update emails set handed_at = now() where id = $1 and status = 'sending' and handed_at is null returning true",
        email_id,
    )
    return claimed is True


async def is_abandoned(connection: Connection, email_id: UUID) -> bool:
    """Returns True if the email was claimed so long ago that the worker must have crashed while sending it."""
    abandoned: bool = await connection.fetchval(
        "select handed_at < now() - interval '2 minutes' from emails where id = $1", email_id
    )
    return abandoned


async def move_email(connection: Connection, email_id: UUID, company_id: UUID | None, provider: Provider) -> None:
    """Moves the email to the queue of the provider: an event makes the worker send it there."""
    await connection.execute("select messaging.move_email($1, $2, $3)", email_id, company_id, provider)


async def email_state(connection: Connection, email_id: UUID) -> EmailState:
    row = await connection.fetchrow("select status, error, provider from emails where id = $1", email_id)
    assert row is not None, "there is no such email"
    return EmailState(**row)


async def record_receipt(connection: Connection, email_id: UUID, provider: Provider, receipt: Receipt) -> None:
    await connection.execute(
        """
        update emails
           set status = $2, message_id = $3, provider = $4, error = null, attempts = attempts + 1, sent_at = now(),
               body = case when secret and $2 <> 'kept' then '' else body end
         where id = $1
        """,
        email_id, receipt.status, receipt.message_id, provider,
    )  # fmt: skip


async def record_failure(
    connection: Connection, email_id: UUID, reason: str, *, final: bool, provider: Provider | None = None
) -> None:
    await connection.execute(
        """
        update emails
           set status = case when $3 then 'failed' else status end, error = $2, attempts = attempts + 1,
               provider = coalesce($4, provider), tried_at = now(), handed_at = null,
               body = case when secret and $3 then '' else body end
         where id = $1
        """,
        email_id, reason, final, provider,
    )  # fmt: skip


async def record_cancellation(connection: Connection, email_id: UUID, reason: str) -> None:
    await connection.execute("update emails set status = 'cancelled', error = $2 where id = $1", email_id, reason)


async def count_recent_tests(connection: Connection, company_id: UUID) -> int:
    """Counts the test emails of the company in the last hour."""
    count: int = await connection.fetchval(
        """
        select count(*) from emails
         where company_id = $1 and created_at > now() - interval '1 hour' and kind = 'test'
        """,
        company_id,
    )
    return count


async def kept_emails(connection: Connection, limit: int) -> list[KeptEmail]:
    """Returns the emails in the local mailbox, newest first."""
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


async def add_notification(
    connection: Connection, *, company_id: UUID, about: UUID, title: str, message: str, data: dict[str, str]
) -> bool:
    """Adds a notification, unless the company already has one with the same `about`. Returns True if it was added.

    `about` is the id of the cause, so that a retried job does not notify twice.
    """
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
