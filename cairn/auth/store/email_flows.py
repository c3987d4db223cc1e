from datetime import datetime
from uuid import UUID

from cairn.auth.model import Challenge
from cairn.db import Connection


async def add_email_flow(
    conn: Connection, challenge: Challenge, *, user_id: UUID, provider: str, authentication_method: str, referrer: str
) -> UUID:
    flow_id: UUID = await conn.fetchval(
        """
        insert into auth.flow_state (user_id, code_challenge, code_challenge_method, provider,
                                     authentication_method, referrer)
        values ($1, $2, $3, $4, $5, $6)
        returning id
        """,
        user_id, challenge.value, challenge.method, provider, authentication_method, referrer,
    )  # fmt: skip
    return flow_id


async def issue_code(conn: Connection, flow_id: UUID, now: datetime) -> UUID:
    code: UUID = await conn.fetchval(
        "update auth.flow_state set auth_code_issued_at = $2 where id = $1 returning auth_code", flow_id, now
    )
    return code
