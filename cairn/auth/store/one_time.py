from collections.abc import Sequence
from uuid import UUID

from cairn.auth.model import OneTimeToken
from cairn.auth.store.identities import lock_user
from cairn.db import Connection

COLUMNS = "user_id, purpose, token_sha256, sent_to, flow_id, created_at"
SELECT = f"select {COLUMNS} from auth.one_time_tokens"
MAX_CODE_TRIES = 5


async def replace_one_time_token(
    conn: Connection, token: OneTimeToken, network: str, voided_purposes: Sequence[str]
) -> None:
    """Stores a token, which replaces the previous token that the same IP network requested for the same purpose.

    The codes of `voided_purposes`, and those that other IP networks requested, can no longer be used, but their links
    can.
    """
    await conn.execute(
        "update auth.one_time_tokens set code_tries = $3 where user_id = $1 and purpose = any ($2)",
        token.user_id, [*voided_purposes, token.purpose], MAX_CODE_TRIES,
    )  # fmt: skip
    await conn.execute(
        """
        insert into auth.one_time_tokens (user_id, purpose, token_sha256, sent_to, flow_id, created_at, requested_from)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (user_id, purpose, requested_from) do update
              set token_sha256 = excluded.token_sha256, sent_to = excluded.sent_to, flow_id = excluded.flow_id,
                  created_at = excluded.created_at, code_tries = 0
        """,
        token.user_id, token.purpose, token.token_sha256, token.sent_to, token.flow_id, token.created_at, network,
    )  # fmt: skip


async def one_time_token(conn: Connection, token_sha256: bytes, *, lock: bool) -> OneTimeToken | None:
    """Finds the token with this hash.

    With `lock`, a concurrent request with the same token waits, and then finds that it was used. The user is locked
    before the token, as in every transaction that writes tokens, so that two transactions cannot deadlock.
    """
    row = await conn.fetchrow(SELECT + " where token_sha256 = $1", token_sha256)
    if row is not None and lock:
        await lock_user(conn, row["user_id"])
        row = await conn.fetchrow(SELECT + " where token_sha256 = $1 for update", token_sha256)
    return None if row is None else OneTimeToken(**row)


async def try_code(
    conn: Connection, user_ids: Sequence[UUID], purposes: Sequence[str], hashes: Sequence[bytes]
) -> OneTimeToken | None:
    """Counts a try for each code of these users and purposes, and returns the token whose hash is one of `hashes`.

    The rows stay locked, so concurrent tries are counted one after another. A code that was tried too often is not
    found any more.
    """
    rows = await conn.fetch(
        f"""
        update auth.one_time_tokens
           set code_tries = code_tries + 1
         where user_id = any ($1) and purpose = any ($2) and code_tries < $3
        returning {COLUMNS}
        """,
        user_ids, purposes, MAX_CODE_TRIES,
    )  # fmt: skip
    return next((OneTimeToken(**row) for row in rows if row["token_sha256"] in hashes), None)


async def has_one_time_token(conn: Connection, user_id: UUID, purpose: str) -> bool:
    query = "select exists (select from auth.one_time_tokens where user_id = $1 and purpose = $2)"
    return bool(await conn.fetchval(query, user_id, purpose))


async def remove_used_token(conn: Connection, token: OneTimeToken) -> None:
    """Removes the token, and the other tokens of the user for the same purpose.

    A token with PKCE is removed alone. It signs in only the browser that requested it, which may be a stranger's, and
    the owner may then still need their own link.
    """
    if token.flow_id is not None:
        await conn.execute("delete from auth.one_time_tokens where token_sha256 = $1", token.token_sha256)
    else:
        await remove_one_time_tokens(conn, token.user_id, token.purpose)


async def remove_one_time_tokens(conn: Connection, user_id: UUID, purpose: str) -> None:
    await conn.execute("delete from auth.one_time_tokens where user_id = $1 and purpose = $2", user_id, purpose)
