import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from cairn.db import Connection


async def change_as_admin(
    conn: Connection,
    user_id: UUID,
    *,
    app_metadata: Mapping[str, Any],
    changes_ban: bool,
    banned_until: datetime | None,
) -> None:
    """Merges the metadata as `change_user` does. `banned_until` replaces the stored value if `changes_ban` is true."""
    await conn.execute(
        """
        update auth.users
           set app_metadata = (app_metadata || $2::jsonb) - $3::text[],
               banned_until = case when $4 then $5 else banned_until end,
               updated_at   = now()
         where id = $1
        """,
        user_id, json.dumps(dict(app_metadata)), [key for key, value in app_metadata.items() if value is None],
        changes_ban, banned_until,
    )  # fmt: skip


async def delete_user(conn: Connection, user_id: UUID) -> None:
    """Deletes the user with their profile and sessions. The company and its signed waivers remain."""
    await conn.execute("delete from auth.users where id = $1", user_id)


async def anonymize_user(conn: Connection, user_id: UUID, now: datetime) -> None:
    """Deletes the personal data but keeps the row, so that references to its id remain valid."""
    await conn.execute(
        """
        update auth.users
           set email = null, phone = null, new_email = null, new_phone = null, encrypted_password = null,
               user_metadata = '{}', app_metadata = '{}', deleted_at = $2, updated_at = $2
         where id = $1
        """,
        user_id, now,
    )  # fmt: skip
    for table in ("identities", "sessions", "mfa_factors", "mfa_recovery_codes", "one_time_tokens", "flow_state"):
        await conn.execute(f"delete from auth.{table} where user_id = $1", user_id)
