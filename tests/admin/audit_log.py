"""Reads the audit log of an account."""

import json
from uuid import UUID

from cairn.db import SERVICE, Database


async def logged_acts(database: Database, user_id: UUID) -> list[tuple[str, dict[str, str]]]:
    """Returns the acts in the log of the account with their details, oldest first."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        rows = await connection.fetch("select act, payload from auth.audit_log where user_id = $1 order by id", user_id)
    return [(row["act"], json.loads(row["payload"])) for row in rows]
