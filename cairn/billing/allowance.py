"""How many waivers a month a plan covers. The database counts and refuses (migration 0032); this names the refusal."""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from cairn.billing.errors import PlanLimitReached

_PAYMENT_REQUIRED = "PT402"


@contextmanager
def within_allowance() -> Iterator[None]:
    """Around the transaction that writes the mail of a waiver."""
    try:
        yield
    except asyncpg.PostgresError as error:
        if error.sqlstate != _PAYMENT_REQUIRED:
            raise
        raise PlanLimitReached(reason=error.message) from error
