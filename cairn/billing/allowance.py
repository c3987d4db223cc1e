"""The monthly allowance of a plan. The database counts and refuses; this turns its error into a Problem."""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from cairn.billing.errors import PlanLimitReached

_PAYMENT_REQUIRED = "PT402"


@contextmanager
def within_allowance() -> Iterator[None]:
    """Wraps the transaction that adds the email of a waiver."""
    try:
        yield
    except asyncpg.PostgresError as error:
        if error.sqlstate != _PAYMENT_REQUIRED:
            raise
        raise PlanLimitReached(reason=error.message) from error
