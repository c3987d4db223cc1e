"""Reports the limits of a plan.

The database counts the waivers of a month and raises an error if they exceed the limit.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import asyncpg

from cairn.billing.errors import PlanLimitReached
from cairn.db import Connection
from cairn.messaging import DailyQuota, MailLimits

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


async def message_quota(connection: Connection, company_id: UUID, limits: MailLimits) -> DailyQuota:
    """Returns how many emails the company may send to guests in a day. A company without a plan may send fewer."""
    return limits.message_quota(has_plan=await _has_plan(connection, company_id))


async def covered_waivers(connection: Connection, company_id: UUID) -> int | None:
    """Returns how many waivers the company may send in a month, or None if there is no limit."""
    covered: int | None = await connection.fetchval("select billing.covered_waivers(billing.plan_of($1))", company_id)
    return covered


async def exempt_session(connection: Connection, session_id: UUID, company_id: UUID) -> None:
    """Exempts a session: later messages about it do not count as waivers that the company has sent."""
    await connection.execute("select billing.exempt_session($1, $2)", session_id, company_id)


async def copy_quota(connection: Connection, company_id: UUID | None, limits: MailLimits) -> DailyQuota:
    """Returns how many copies of signed documents the company's guests may get in a day.

    `company_id` is None if a sample was signed, because samples belong to no company.
    """
    return limits.copy_quota(has_plan=await _has_plan(connection, company_id))


async def _has_plan(connection: Connection, company_id: UUID | None) -> bool:
    has_plan: bool = await connection.fetchval("select billing.plan_of($1) is not null", company_id)
    return has_plan
