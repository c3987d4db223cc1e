"""Reports the monthly limit of a plan as a Problem. The database counts the waivers and raises the error."""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from cairn.billing.errors import PlanLimitReached

_PAYMENT_REQUIRED = "PT402"


@contextmanager
def within_allowance() -> Iterator[None]:
    """Raises PlanLimitReached if the transaction inside sends more waivers than the plan covers."""
    try:
        yield
    except asyncpg.PostgresError as error:
        if error.sqlstate != _PAYMENT_REQUIRED:
            raise
        raise PlanLimitReached(reason=error.message) from error
