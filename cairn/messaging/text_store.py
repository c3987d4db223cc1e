"""SQL for text messages."""

from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass
from cairn.messaging.sms import GuestText, TextMessage


@frozen_dataclass
class UnsentText:
    """A message that is `sending`. `is_claimed` means that a worker has started to send it."""

    message: TextMessage
    # A message to a guest is sent at most once. A sign-in code is sent at least once.
    only_once: bool
    is_claimed: bool


@frozen_dataclass
class TextState:
    status: str
    error: str | None


async def add_text_message(
    connection: Connection, message_id: UUID, recipient: str, body: str, *, channel: str = "sms"
) -> None:
    """Adds a sign-in code. A trigger raises `sign_in_text.requested` in the same transaction."""
    await connection.execute(
        "insert into text_messages (id, recipient, body, channel) values ($1, $2, $3, $4)",
        message_id, recipient, body, channel,
    )  # fmt: skip


async def lock_company_texts(connection: Connection, company_id: UUID) -> None:
    """Makes other transactions that queue texts of this company wait until this one has ended.

    They then also find the messages that this transaction adds.
    """
    await connection.execute("select pg_advisory_xact_lock(hashtextextended('texts of ' || $1::uuid, 0))", company_id)


async def recent_text_id(connection: Connection, session_id: UUID) -> UUID | None:
    """Returns the message about this session from the last minute, or None."""
    message_id: UUID | None = await connection.fetchval(
        """
        select id
          from text_messages
         where session_id = $1 and kind = 'message' and status <> 'failed' and created_at > now() - interval '1 minute'
         order by created_at desc
         limit 1
        """,
        session_id,
    )
    return message_id


async def newest_text_id(connection: Connection, session_id: UUID) -> UUID | None:
    """Returns the newest message to a guest about this session, or None. Reminders are left out."""
    message_id: UUID | None = await connection.fetchval(
        """
        select id from text_messages where session_id = $1 and kind = 'message' order by created_at desc limit 1
        """,
        session_id,
    )
    return message_id


async def newest_code_failed(connection: Connection, recipient: str) -> bool:
    """Returns whether the gateway has refused the newest sign-in code for this number."""
    return bool(
        await connection.fetchval(
            """
            select status = 'failed'
              from text_messages
             where recipient = $1 and kind = 'code'
             order by created_at desc
             limit 1
            """,
            recipient,
        )
    )


async def add_guest_text(connection: Connection, text: GuestText, refusal_reason: str | None) -> None:
    """Adds the message as `sending`, or as `failed` if there is a reason to refuse it. Idempotent by id."""
    await connection.execute(
        """
        insert into text_messages (id, company_id, session_id, kind, recipient, body, status, error)
        values ($1, $2, $3, $4, $5, case when $7::text is null then $6 else '' end,
                case when $7 is null then 'sending' else 'failed' end, $7)
        on conflict (id) do nothing
        """,
        text.id, text.company_id, text.session_id, text.kind, text.recipient, text.body, refusal_reason,
    )  # fmt: skip


async def unsent_text_message(connection: Connection, message_id: UUID) -> UnsentText | None:
    row = await connection.fetchrow(
        """
        select id, recipient, body, channel, kind <> 'code' as only_once, handed_at is not null as is_claimed
          from text_messages
         where id = $1 and status = 'sending'
        """,
        message_id,
    )
    if row is None:
        return None
    message = TextMessage(row["id"], row["recipient"], row["body"], row["channel"])
    return UnsentText(message, row["only_once"], row["is_claimed"])


async def claim_text(connection: Connection, message_id: UUID) -> None:
    await connection.execute("update text_messages set handed_at = now() where id = $1", message_id)


async def text_state(connection: Connection, message_id: UUID) -> TextState:
    row = await connection.fetchrow("select status, error from text_messages where id = $1", message_id)
    assert row is not None, "there is no such text message"
    return TextState(**row)


async def record_text_receipt(connection: Connection, message_id: UUID, receipt: str) -> None:
    """Deletes the body, which contained a code or a link that grants access."""
    await connection.execute(
        """
        update text_messages
           set status = 'delivered', message_id = $2, error = null, attempts = attempts + 1, sent_at = now(), body = ''
         where id = $1
        """,
        message_id, receipt,
    )  # fmt: skip


async def record_text_failure(connection: Connection, message_id: UUID, reason: str, *, final: bool) -> None:
    await connection.execute(
        """
        update text_messages
           set status = case when $3 then 'failed' else status end, error = $2, attempts = attempts + 1,
               handed_at = null, body = case when $3 then '' else body end
         where id = $1
        """,
        message_id, reason, final,
    )  # fmt: skip
