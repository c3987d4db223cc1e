"""Lists the jobs in the queue and queues failed ones again, for the operator."""

from collections.abc import Sequence
from datetime import datetime

from cairn.db import SERVICE, Database
from cairn.kit import frozen_dataclass

# Maps Cairn's name of each state to the library's name.
JOB_STATES = {"waiting": "todo", "running": "doing", "failed": "failed"}


@frozen_dataclass
class StoredJob:
    id: int
    task: str
    queue: str
    state: str
    tries: int
    company_id: str | None
    queued_at: datetime
    # When the next try is due. None means now.
    due_at: datetime | None


async def stored_jobs(database: Database, states: Sequence[str], limit: int) -> list[StoredJob]:
    """Returns the oldest jobs in these states. The payloads are left out: they contain only ids."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        rows = await connection.fetch(
            """
            select j.id, j.task_name as task, j.queue_name as queue, s.name as state,
                   j.attempts + case when j.status = 'failed' then 1 else 0 end as tries,
                   j.args -> 'payload' ->> 'company_id' as company_id, j.scheduled_at as due_at,
                   (select min(e.at) from jobs.procrastinate_events e where e.job_id = j.id) as queued_at
              from jobs.procrastinate_jobs j
              join unnest($1::text[], $2::text[]) as s (name, status) on s.status = j.status::text
             order by j.id
             limit $3
            """,
            states, [JOB_STATES[state] for state in states], limit,
        )  # fmt: skip
    return [StoredJob(**row) for row in rows]


async def retry_failed_jobs(database: Database, ids: Sequence[int] | None) -> list[int]:
    """Queues failed jobs again, all of them if `ids` is None. Each gets as many tries as a new job."""
    # The trigger of the library refers to its tables without a schema.
    async with database.acting_as(SERVICE, {"search_path": "jobs"}) as connection:
        rows = await connection.fetch(
            """
            update jobs.procrastinate_jobs
               set status = 'todo', attempts = 0, scheduled_at = null, worker_id = null
             where status = 'failed' and ($1::bigint[] is null or id = any ($1))
            returning id
            """,
            ids,
        )
    return sorted(row["id"] for row in rows)
