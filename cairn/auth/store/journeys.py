from datetime import datetime
from uuid import UUID

import asyncpg

from cairn.auth.journey import LIFETIME, Journey
from cairn.db import Connection

JOURNEY = """
    id, provider, referrer, authentication_method, auth_code, created_at, user_id, code_challenge,
    code_challenge_method, nonce, provider_verifier, provider_token, provider_refresh_token, role, linking_user_id,
    sso_provider_id, auth_code_issued_at
"""


async def add_journey(conn: Connection, journey: Journey) -> None:
    """Those that never came back leave with the next one that goes."""
    await conn.execute(
        """
        delete from auth.flow_state
         where created_at < now() - 12 * $1::interval and authentication_method in ('oauth', 'sso/saml')
        """,
        LIFETIME,
    )
    await conn.execute(
        """
        insert into auth.flow_state (id, provider, referrer, authentication_method, auth_code, created_at,
                                     code_challenge, code_challenge_method, nonce, provider_verifier, role,
                                     linking_user_id, sso_provider_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        """,
        journey.id, journey.provider, journey.referrer, journey.authentication_method, journey.auth_code,
        journey.created_at, journey.code_challenge, journey.code_challenge_method, journey.nonce,
        journey.provider_verifier, journey.role, journey.linking_user_id, journey.sso_provider_id,
    )  # fmt: skip


async def answer_journey(conn: Connection, journey_id: UUID, method: str, now: datetime) -> Journey | None:
    """The journey that is answered hereby; None for one that was answered before, is unknown or too old."""
    row = await conn.fetchrow(
        f"""
        update auth.flow_state
           set auth_code_issued_at = $2
         where id = $1 and authentication_method = $4
           and auth_code_issued_at is null and created_at > $2::timestamptz - $3::interval
        returning {JOURNEY}
        """,
        journey_id, now, LIFETIME, method,
    )  # fmt: skip
    return _journey(row)


async def hold_for_exchange(
    conn: Connection, journey_id: UUID, user_id: UUID, provider_token: str | None, provider_refresh_token: str | None
) -> None:
    await conn.execute(
        """
        update auth.flow_state
           set user_id = $2, provider_token = $3, provider_refresh_token = $4
         where id = $1
        """,
        journey_id, user_id, provider_token, provider_refresh_token,
    )  # fmt: skip


async def journey_by_code(conn: Connection, auth_code: UUID) -> Journey | None:
    """Only one that was answered; whoever exchanges the same code at the same time waits."""
    row = await conn.fetchrow(
        f"select {JOURNEY} from auth.flow_state where auth_code = $1 and auth_code_issued_at is not null for update",
        auth_code,
    )
    return _journey(row)


async def remove_journey(conn: Connection, journey_id: UUID) -> None:
    await conn.execute("delete from auth.flow_state where id = $1", journey_id)


def _journey(row: asyncpg.Record | None) -> Journey | None:
    return None if row is None else Journey(**dict(row))
