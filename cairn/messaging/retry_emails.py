"""Retries the emails that no user is waiting for, until their provider accepts or refuses them."""

import asyncio
from uuid import UUID

from cairn.db import SERVICE, Connection
from cairn.kit import frozen_dataclass
from cairn.messaging.configuration import Provider
from cairn.messaging.queues import ENDPOINTS_QUEUE
from cairn.messaging.send_email import send_email
from cairn.messaging.sender import MailSender

_MAX_EMAILS = 20
"""How many emails of each group are retried in one round."""
_CONCURRENCY = 8
"""How many emails of each group are sent at once."""
# The delay between retries doubles after every three attempts, from one minute up to one hour. A last attempt in the
# future was recorded before the clock was set back, so it causes no delay.
_IS_DUE = """
    e.patient and e.status = 'sending'
    and (coalesce(e.tried_at, e.created_at)
         < now() - least(interval '1 hour', interval '1 minute' * 2 ^ least(e.attempts / 3, 6))
         or e.tried_at > now() + interval '1 minute')
"""


@frozen_dataclass
class _Group:
    """Emails of one group never wait for those of another."""

    providers: tuple[Provider, ...]
    max_per_company: int = _MAX_EMAILS
    """How many emails of one company are retried in one round."""
    min_attempts: int = 0
    """Emails with fewer attempts are left to their own jobs during their first hour."""


_GROUPS = (
    _Group(("service", "mock")),
    _Group(("resend", "sendgrid")),
    # The job of an email may wait for minutes while the queue pauses its company. Without `min_attempts`, the email
    # could be sent twice: here and by its job.
    _Group(("custom",), max_per_company=ENDPOINTS_QUEUE.concurrency_per_company or 1, min_attempts=3),
)


async def retry_emails(sender: MailSender) -> None:
    """Retries emails with `keep_retrying` whose job has used up its tries."""
    outcomes = await asyncio.gather(*(_retry_group(sender, group) for group in _GROUPS), return_exceptions=True)
    for outcome in outcomes:
        if outcome is not None:
            raise outcome


async def _retry_group(sender: MailSender, group: _Group) -> None:
    async with sender.database.acting_as(SERVICE) as connection:
        email_ids = await _claim_emails(connection, group)
    slots = asyncio.Semaphore(_CONCURRENCY)

    async def retry(email_id: UUID) -> None:
        async with slots:
            await send_email(sender, email_id, last_try=True)

    # All emails are tried before an error of one is raised.
    outcomes = await asyncio.gather(*map(retry, email_ids), return_exceptions=True)
    for outcome in outcomes:
        if outcome is not None:
            raise outcome


async def _claim_emails(connection: Connection, group: _Group) -> list[UUID]:
    """Returns the emails whose retry is due. Companies take turns.

    The time of the attempt is recorded here already, so two workers never try the same email at the same time.
    """
    rows = await connection.fetch(
        f"""
        with due as materialized (
            select e.id, row_number() over (partition by e.company_id order by e.created_at) as place
              from emails e
              left join messaging.configurations c on c.company_id = e.company_id
             where {_IS_DUE}
               and coalesce(c.provider, 'service') = any ($1)
               and (e.attempts >= $2 or e.created_at < now() - interval '1 hour')
               and (c.provider is distinct from 'custom'
                    or e.company_id::text not in (select jobs.paused_companies($3)))
        )
        update emails set tried_at = now()
         where id in (select e.id
                        from due
                        join emails e on e.id = due.id
                       where due.place <= $4 and {_IS_DUE}
                       order by due.place, e.created_at
                       limit $5
                         for update of e skip locked)
        returning id
        """,
        group.providers, group.min_attempts, ENDPOINTS_QUEUE.name, group.max_per_company, _MAX_EMAILS,
    )  # fmt: skip
    return [row["id"] for row in rows]
