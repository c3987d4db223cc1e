"""Declares jobs and the queues in which they wait."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any
from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass

Payload = dict[str, Any]


@frozen_dataclass
class Queue:
    """Jobs of one queue never wait for those of another."""

    name: str
    concurrency: int
    """How many jobs of the queue one worker runs at once."""
    concurrency_per_company: int | None = None
    """How many of these jobs may belong to one company. If this is set, companies take turns."""


DEFAULT_QUEUE = Queue("cairn", 8, concurrency_per_company=4)
"""Four jobs at once keep the connections of a worker busy, so a company that is alone is not slower than with eight."""


@frozen_dataclass
class Job:
    """Work that follows from an event. `run` must be idempotent, because it may be called again after a crash."""

    name: str
    on: str
    """The name of the event."""
    run: Callable[[Payload, bool], Awaitable[None]]
    """Called with the payload of the event and whether this is the last try."""
    max_tries: int = 10
    retry_delay_seconds: int = 2
    """The delay before the first retry. Each further delay is the one before it, multiplied by this number.

    No delay is longer than half an hour.
    """
    queue: Queue = DEFAULT_QUEUE
    companies_with_work: Callable[[Connection, Collection[UUID]], Awaitable[set[UUID]]] | None = None
    """Returns those of the given companies for which the job has something to do. Other events cause no such job."""
    former_names: Sequence[str] = ()
    """Names under which an earlier version may have queued this job."""
