"""What happens after a commit: the outbox of events, the notifier that wakes its readers, and the queue of jobs.

Floor 3. A request writes rows and raises events; the worker reads the events and touches the world. A room declares its
jobs as `Job`s; `worker.py` collects them. Nothing here knows what any of them does.
"""

from cairn.jobs.dispatch import dispatch, sweep
from cairn.jobs.events import EVENTS
from cairn.jobs.notifier import OutboxNotifier
from cairn.jobs.outbox import Event, Position, events_after, raise_event, stuck
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
    "stuck",
    "sweep",
    "work",
]
