from collections.abc import Sequence
from uuid import UUID

from cairn.auth.model import OneTimeToken
from cairn.db import Connection

SELECT = "select user_id, purpose, token_sha256, sent_to, flow_id, created_at from auth.one_time_tokens"


async def replace_one_time_token(conn: Connection, token: OneTimeToken) -> None:
    """Stores a token, which replaces the previous token for the same purpose."""
    await conn.execute(
        """
        insert into auth.one_time_tokens (user_id, purpose, token_sha256, sent_to, flow_id, created_at)
        values ($1, $2, $3, $4, $5, $6)
        on conflict (user_id, purpose) do update
              set token_sha256 = excluded.token_sha256, sent_to = excluded.sent_to, flow_id = excluded.flow_id,
                  created_at = excluded.created_at
        """,
        token.user_id, token.purpose, token.token_sha256, token.sent_to, token.flow_id, token.created_at,
    )  # fmt: skip


async def one_time_token(conn: Connection, hashes: Sequence[bytes], *, lock: bool) -> OneTimeToken | None:
    """Finds the token with one of these hashes.

    With `lock`, a concurrent request with the same token waits, and then finds that it was used.
    """
    row = await conn.fetchrow(SELECT + " where token_sha256 = any ($1)" + (" for update" if lock else ""), hashes)
    return None if row is None else OneTimeToken(**row)


async def has_one_time_token(conn: Connection, user_id: UUID, purpose: str) -> bool:
    query = "select exists (select from auth.one_time_tokens where user_id = $1 and purpose = $2)"
    return bool(await conn.fetchval(query, user_id, purpose))


async def remove_one_time_token(conn: Connection, user_id: UUID, purpose: str) -> None:
    await conn.execute("delete from auth.one_time_tokens where user_id = $1 and purpose = $2", user_id, purpose)
