"""Checks the person who requests a deletion."""

import math
from datetime import datetime, timedelta
from uuid import UUID

from cairn.db import Connection, Principal
from cairn.deletion.errors import RecentSignInNeeded, TooManyDeletions
from cairn.deletion.settings import DeletionSettings
from cairn.kit import frozen_dataclass
from cairn.limits import Limit, take

_MAX_REQUESTS_PER_DAY = 3


@frozen_dataclass
class Requester:
    principal: Principal
    ip: str | None


def require_recent_sign_in(principal: Principal, settings: DeletionSettings, moment: datetime) -> None:
    if _signed_in_at(principal) < (moment - settings.recent_sign_in).timestamp():
        raise RecentSignInNeeded(minutes=int(settings.recent_sign_in.total_seconds() // 60))


async def limit_requests(connection: Connection, user_id: UUID) -> None:
    """Raises TooManyDeletions after too many requests, because each one sends an email and is logged."""
    seconds = await take(connection, Limit(f"deletions of {user_id}", _MAX_REQUESTS_PER_DAY, timedelta(days=1)))
    if seconds is not None:
        raise TooManyDeletions(hours=math.ceil(seconds / 3600), retry_after_seconds=math.ceil(seconds))


async def log_act(connection: Connection, user_id: UUID, act: str, ip: str | None) -> None:
    await connection.execute("select auth.log_act($1, $2, $3)", user_id, act, ip)


def _signed_in_at(principal: Principal) -> float:
    """Returns when the user last proved who they are, in seconds since 1970. A refreshed token does not count."""
    entries = principal.claims.get("amr") or []
    return max((float(entry.get("timestamp", 0)) for entry in entries), default=0.0)
