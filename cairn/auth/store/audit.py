import json
from uuid import UUID

from cairn.auth.model import Caller
from cairn.db import Connection


async def add_audit_entry(conn: Connection, act: str, user_id: UUID | None, caller: Caller, **details: str) -> None:
    """Records an action, even if it was refused. The details must never contain a password or a token."""
    await conn.execute(
        "insert into auth.audit_log (act, user_id, ip, payload) values ($1, $2, $3, $4)",
        act, user_id, caller.ip, json.dumps(details),
    )  # fmt: skip
