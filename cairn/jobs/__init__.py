"""Work after a commit: the outbox of events, the notifier that wakes its readers, and the queue of jobs.

A request writes rows and raises events; the worker reads the events and calls the outside world. Each package declares
its jobs as `Job`s and `worker.py` collects them. This package does not know any of them.
"""

from cairn.jobs.dispatch import dispatch, sweep
from cairn.jobs.events import EVENTS
from cairn.jobs.notifier import OutboxNotifier
from cairn.jobs.outbox import Event, Position, events_after, raise_event, stuck_counts
from cairn.jobs.queue import Job, open_queue, work

__all__ = [
    "EVENTS",
    "Event",
    "Job",
    "OutboxNotifier",
    "Position",
    "dispatch",
    "events_after",
    "open_queue",
    "raise_event",
    "stuck_counts",
    "sweep",
    "work",
]
