"""Runs work after a commit, with an outbox of events, a notifier that wakes its readers, and a queue of jobs.

A request writes rows and raises events; the worker reads the events and calls the outside world. Each package declares
its jobs as `Job` objects and `worker.py` collects them, so this package knows none of the jobs.
"""

from cairn.jobs.dispatch import dispatch, dispatch_forever, sweep
from cairn.jobs.events import EVENTS
from cairn.jobs.job import DEFAULT_QUEUE, Job, Payload, Queue
from cairn.jobs.notifier import OutboxNotifier
from cairn.jobs.outbox import (
    Event,
    Position,
    QueueState,
    events_after,
    is_worker_running,
    outbox_delay_seconds,
    queue_state,
    raise_event,
    stuck_counts,
)
from cairn.jobs.pauses import end_pause, pause_company
from cairn.jobs.queue import open_queue, work
from cairn.jobs.schedule import claim, run_scheduled
from cairn.jobs.stored_jobs import JOB_STATES, StoredJob, retry_failed_jobs, stored_jobs

__all__ = [
    "DEFAULT_QUEUE",
    "EVENTS",
    "JOB_STATES",
    "Event",
    "Job",
    "OutboxNotifier",
    "Payload",
    "Position",
    "Queue",
    "QueueState",
    "StoredJob",
    "claim",
    "dispatch",
    "dispatch_forever",
    "end_pause",
    "events_after",
    "is_worker_running",
    "open_queue",
    "outbox_delay_seconds",
    "pause_company",
    "queue_state",
    "raise_event",
    "retry_failed_jobs",
    "run_scheduled",
    "stored_jobs",
    "stuck_counts",
    "sweep",
    "work",
]
