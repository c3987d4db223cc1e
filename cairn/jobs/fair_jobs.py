"""Runs the jobs of one queue so that companies take turns."""

import asyncio
from collections.abc import Iterable
from typing import Any

from procrastinate import App
from procrastinate.jobs import Job as QueuedJob
from procrastinate.manager import JobManager
from procrastinate.worker import Worker

from cairn.jobs.job import Queue
from cairn.kit import cancel_and_wait

_FETCH = """
select id, status, task_name, priority, lock, queueing_lock, args, scheduled_at, queue_name, attempts, worker_id
  from jobs.fetch_fairly(%(queue)s, %(worker)s, %(most_per_company)s)
"""
_WAKE_AGAIN_SECONDS = 0.05


class FairJobManager(JobManager):
    def __init__(self, connector: Any, queues: Iterable[Queue]) -> None:
        super().__init__(connector)
        self._queues = {queue.name: queue for queue in queues}

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> QueuedJob | None:
        # Each worker has one queue.
        [name] = queues or ()
        queue = self._queues[name]
        if queue.concurrency_per_company is None:
            return await super().fetch_job([name], worker_id)
        row = await self.connector.execute_query_one_async(
            query=_FETCH, queue=name, worker=worker_id, most_per_company=queue.concurrency_per_company
        )
        return None if row["id"] is None else QueuedJob.from_row(row)


class QueueWorker(Worker):
    def __init__(self, app: App, queue: Queue, **options: Any) -> None:
        super().__init__(app, queues=[queue.name], concurrency=queue.concurrency, **options)
        self._takes_turns = queue.concurrency_per_company is not None

    async def _persist_job_status(self, *args: Any, **kwargs: Any) -> None:
        """Where companies take turns, looks for another job, because a waiting company may now have its turn."""
        await super()._persist_job_status(*args, **kwargs)
        if not self._takes_turns:
            return
        self._new_job_event.set()
        # The event is set once more a moment later, because a fetch that is already running would clear it.
        asyncio.get_running_loop().call_later(_WAKE_AGAIN_SECONDS, self._new_job_event.set)

    async def _shutdown(self, side_tasks: "list[asyncio.Task[Any]]") -> None:
        """Ends the side tasks reliably. The library cancels them once, and then waits forever if one goes on."""
        await cancel_and_wait(side_tasks)
        await super()._shutdown([])
