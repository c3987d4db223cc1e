"""Pauses the jobs of one company in a queue in which companies take turns. The jobs stay in the queue."""

from datetime import timedelta
from uuid import UUID

from cairn.db import Connection
from cairn.jobs.job import Queue


async def pause_company(connection: Connection, queue: Queue, company_id: UUID, duration: timedelta) -> None:
    """Starts no more jobs of the company for this long. Its running jobs continue."""
    await connection.execute(
        """
        insert into jobs.pauses (queue_name, company, until) values ($1, $2, now() + $3)
        on conflict (queue_name, company) do update set until = excluded.until
        """,
        queue.name, str(company_id), duration,
    )  # fmt: skip


async def end_pause(connection: Connection, queue: Queue, company_id: UUID) -> None:
    await connection.execute(
        "delete from jobs.pauses where queue_name = $1 and company = $2", queue.name, str(company_id)
    )
