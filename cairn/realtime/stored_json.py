"""Parses JSON from the database. One value that cannot be parsed must not stop the live updates of everyone else."""

import json
import logging
from functools import cache
from typing import Any

from cairn.kit import count

log = logging.getLogger(__name__)


class UnreadableJson(Exception):
    """Python cannot parse the value, for example a number with more than 4,300 digits. PostgreSQL can store it."""


def parse_stored(text: str, source: str) -> Any:
    """Raises UnreadableJson, and counts it. `source` is the table that contains the value."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        count("realtime_unreadable_rows")
        _log_once(source)
        # The error of the parser may quote the value, which may be personal data.
        raise UnreadableJson from None


@cache
def _log_once(source: str) -> None:
    """Each further row is only counted, because someone who can store one can store many."""
    log.warning("a row of %s cannot be parsed, so its changes are not sent to subscribers", source)
