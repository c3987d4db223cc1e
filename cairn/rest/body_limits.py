"""Limits the size of a body, and converts CSV and forms to JSON without keeping other requests waiting."""

from cairn.db import ANON, SERVICE, Principal
from cairn.kit import FairTurns, frozen_dataclass
from cairn.limits import larger_network_of
from cairn.rest.request import BodyBytes, tabular_to_json
from cairn.rest.settings import RestSettings

_MIN_BYTES_FOR_TURN = 16 * 1024
"""Smaller bodies are converted without waiting for a turn, because that takes only milliseconds."""


@frozen_dataclass
class BodyLimits:
    max_bytes: int
    max_tabular_bytes: int
    """The limit for CSV and forms, which the server converts to JSON."""


def body_limits(settings: RestSettings, principal: Principal) -> BodyLimits:
    max_bytes = settings.max_body_bytes
    if principal.role == SERVICE.role:
        return BodyLimits(max_bytes, max_bytes)
    if principal.role == ANON.role:
        max_bytes = min(max_bytes, settings.max_anonymous_body_bytes)
        return BodyLimits(max_bytes, min(max_bytes, settings.max_anonymous_csv_bytes))
    max_bytes = min(max_bytes, settings.max_account_body_bytes)
    return BodyLimits(max_bytes, max_bytes)


class TabularBodies:
    """Converts CSV and form bodies. Each account or network can have only one large body converted at a time."""

    def __init__(self) -> None:
        self._turns = FairTurns(running=2, running_per_key=1, waiting=50, waiting_per_key=5)

    async def to_json(
        self, body: BodyBytes, media: str, limits: BodyLimits, *, principal: Principal, ip: str
    ) -> BodyBytes:
        if len(body) < _MIN_BYTES_FOR_TURN:
            return await tabular_to_json(body, media, max_bytes=limits.max_tabular_bytes)
        key = str(principal.user_id or larger_network_of(ip))
        await self._turns.enter(key)
        try:
            return await tabular_to_json(body, media, max_bytes=limits.max_tabular_bytes)
        finally:
            self._turns.leave(key)
