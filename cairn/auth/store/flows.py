from datetime import datetime
from uuid import UUID

from cairn.auth.model import Challenge, Flow
from cairn.db import Connection


async def add_flow(
    conn: Connection, challenge: Challenge, *, user_id: UUID, provider: str, method: str, referrer: str
) -> UUID:
    flow_id: UUID = await conn.fetchval(
        """
        insert into auth.flow_state (user_id, code_challenge, code_challenge_method, provider,
                                     authentication_method, referrer)
        values ($1, $2, $3, $4, $5, $6)
        returning id
        """,
        user_id, challenge.code, challenge.method, provider, method, referrer,
    )  # fmt: skip
    return flow_id


async def issue_code(conn: Connection, flow_id: UUID, now: datetime) -> UUID:
    code: UUID = await conn.fetchval(
        "update auth.flow_state set auth_code_issued_at = $2 where id = $1 returning auth_code", flow_id, now
    )
    return code


async def take_flow(conn: Connection, auth_code: UUID) -> Flow | None:
    """Only one exchange at a time may hold it."""
    row = await conn.fetchrow(
        """
        select id, user_id, code_challenge, code_challenge_method, authentication_method, provider_token,
               provider_refresh_token, auth_code_issued_at
          from auth.flow_state
         where auth_code = $1 and auth_code_issued_at is not null
           for update
        """,
        auth_code,
    )
    return None if row is None else Flow(**row)


async def drop_flow(conn: Connection, flow_id: UUID) -> None:
    await conn.execute("delete from auth.flow_state where id = $1", flow_id)
