from datetime import datetime
from uuid import UUID

import asyncpg

from cairn.auth.model import OAUTH_FLOW_LIFETIME, OAuthFlow
from cairn.db import Connection

# Flows that were never completed are deleted after this time.
UNFINISHED_FLOW_RETENTION = 12 * OAUTH_FLOW_LIFETIME
FLOW_COLUMNS = """
    id, provider, referrer, authentication_method, auth_code, created_at, user_id, code_challenge,
    code_challenge_method, nonce, provider_verifier, provider_token, provider_refresh_token, role, linking_user_id,
    sso_provider_id, auth_code_issued_at
"""


async def add_oauth_flow(conn: Connection, flow: OAuthFlow) -> None:
    """Adds a flow, and deletes old flows that were never completed."""
    await conn.execute(
        """
        delete from auth.flow_state
         where created_at < now() - $1::interval and authentication_method in ('oauth', 'sso/saml')
        """,
        UNFINISHED_FLOW_RETENTION,
    )
    await conn.execute(
        """
        insert into auth.flow_state (id, provider, referrer, authentication_method, auth_code, created_at,
                                     code_challenge, code_challenge_method, nonce, provider_verifier, role,
                                     linking_user_id, sso_provider_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        """,
        flow.id, flow.provider, flow.referrer, flow.authentication_method, flow.auth_code,
        flow.created_at, flow.code_challenge, flow.code_challenge_method, flow.nonce,
        flow.provider_verifier, flow.role, flow.linking_user_id, flow.sso_provider_id,
    )  # fmt: skip


async def claim_flow(conn: Connection, flow_id: UUID, method: str, now: datetime) -> OAuthFlow | None:
    """Marks the flow as completed. Returns None if it is unknown, expired or already completed."""
    row = await conn.fetchrow(
        f"""
        update auth.flow_state
           set auth_code_issued_at = $2
         where id = $1 and authentication_method = $4
           and auth_code_issued_at is null and created_at > $2::timestamptz - $3::interval
        returning {FLOW_COLUMNS}
        """,
        flow_id, now, OAUTH_FLOW_LIFETIME, method,
    )  # fmt: skip
    return _read_flow(row)


async def prepare_exchange(
    conn: Connection, flow_id: UUID, user_id: UUID, provider_token: str | None, provider_refresh_token: str | None
) -> bool:
    """Stores the user and the encrypted tokens of the provider until the browser exchanges its code.

    Returns False if the flow was deleted in the meantime.
    """
    stored_id = await conn.fetchval(
        """
        update auth.flow_state
           set user_id = $2, provider_token = $3, provider_refresh_token = $4
         where id = $1
        returning id
        """,
        flow_id, user_id, provider_token, provider_refresh_token,
    )  # fmt: skip
    return stored_id is not None


async def flow_by_code(conn: Connection, auth_code: UUID) -> OAuthFlow | None:
    """Finds a completed flow and locks it, so that concurrent exchanges of the same code wait."""
    row = await conn.fetchrow(
        f"""
        select {FLOW_COLUMNS}
          from auth.flow_state
         where auth_code = $1 and auth_code_issued_at is not null
           for update
        """,
        auth_code,
    )
    return _read_flow(row)


async def remove_flow(conn: Connection, flow_id: UUID) -> bool:
    """Returns False if the flow was already deleted."""
    removed_id = await conn.fetchval("delete from auth.flow_state where id = $1 returning id", flow_id)
    return removed_id is not None


def _read_flow(row: asyncpg.Record | None) -> OAuthFlow | None:
    return None if row is None else OAuthFlow(**dict(row))
