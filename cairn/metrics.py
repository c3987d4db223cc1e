"""Serves metrics for Prometheus on a port of their own. They are off unless a port is set.

`prometheus_client` is imported only if they are on, because it needs time and memory.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cairn.db import SERVICE, Database, RetryPolicy
from cairn.jobs import QueueState, queue_state
from cairn.kit import Problem, cancel_and_wait, counts

if TYPE_CHECKING:
    from prometheus_client import Histogram, Metric

log = logging.getLogger(__name__)

_MEASURE_EVERY_SECONDS = 10.0
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
# The first part of the path names the service. Everything else is a page or one of its files.
_SERVICES = frozenset(
    {"auth", "rest", "realtime", "storage", "functions", "billing", "documents", "reminders", "mail-reports", "health"}
)
# What the packages count, with the labels of each count.
_COUNTERS = {
    "jobs": ("Attempts of jobs: succeeded, retried or failed for good.", ("task", "outcome")),
    "emails": ("Attempts to send an email: delivered, kept, retried or failed for good.", ("outcome",)),
    "realtime_messages": ("Messages that were queued for the sockets of subscribers.", ()),
    "realtime_unreadable_rows": ("Changed rows and messages that were skipped, because they cannot be parsed.", ()),
    "seal_failures": ("Failed attempts to seal a document or to sign a head.", ("sealed",)),
}


class MetricsSettings(BaseModel, frozen=True):
    host: str = "127.0.0.1"
    # The ports of `cairn serve` and of `cairn worker`. Without a port there are no metrics.
    port: int | None = Field(default=None, ge=1, le=65535)
    worker_port: int | None = Field(default=None, ge=1, le=65535)


class MetricsPortUnusable(Problem):
    code = "metrics_port_unusable"
    message = (
        "Metrics cannot be served on {host}, port {port} ({reason}). "
        "Choose others with CAIRN_METRICS__HOST, …PORT and …WORKER_PORT."
    )


class Metrics:
    def __init__(self, database: Database) -> None:
        from prometheus_client import CollectorRegistry, Histogram, ProcessCollector  # noqa: PLC0415 - see above

        self.registry: CollectorRegistry = CollectorRegistry()
        self.requests = Histogram(
            "cairn_request_duration_seconds",
            "Time until the end of the response, by service and first digit of the status.",
            ("service", "status"),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._database = database
        self.queue: QueueState | None = None
        self.registry.register(self)
        ProcessCollector(registry=self.registry)

    def collect(self) -> "Iterator[Metric]":
        """Called by the registry, in a thread, for each request of Prometheus."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily  # noqa: PLC0415 - see above

        counted = counts()
        for name, (description, labels) in _COUNTERS.items():
            counter = CounterMetricFamily(f"cairn_{name}", description, labels=labels)
            for (counted_name, *values), number in counted.items():
                if counted_name == name:
                    counter.add_metric(values, number)
            yield counter
        connections = GaugeMetricFamily(
            "cairn_database_connections", "Connections of each pool: used, or the limit.", labels=("pool", "state")
        )
        for pool, use in self._database.pool_use().items():
            connections.add_metric((pool, "used"), use.used)
            connections.add_metric((pool, "limit"), use.limit)
        yield connections
        # If the database cannot be reached, these two are left out instead of showing an old value.
        if (queue := self.queue) is not None:
            yield GaugeMetricFamily(
                "cairn_queue_age_seconds", "How long the oldest event or job has been waiting.", queue.delay_seconds
            )
            yield GaugeMetricFamily("cairn_failed_jobs", "Stored jobs that have failed for good.", queue.failed_jobs)

    async def measure_queue_forever(self) -> None:
        while True:
            try:
                async with self._database.acting_as(SERVICE, read_only=True) as connection:
                    self.queue = await queue_state(connection)
            except BaseException:
                self.queue = None
                raise
            await asyncio.sleep(_MEASURE_EVERY_SECONDS)


@asynccontextmanager
async def serving_metrics(host: str, port: int | None, database: Database) -> AsyncIterator[Metrics | None]:
    if port is None:
        yield None
        return
    from prometheus_client import start_http_server  # noqa: PLC0415 - see above

    metrics = Metrics(database)
    try:
        server, thread = start_http_server(port, host, metrics.registry)
    except OSError as error:
        raise MetricsPortUnusable(host=host, port=port, reason=error.strerror or error) from error
    policy = RetryPolicy(log, "measuring the queue", delay_seconds=_MEASURE_EVERY_SECONDS)
    task = asyncio.create_task(policy.run_forever(metrics.measure_queue_forever))
    try:
        yield metrics
    finally:
        await cancel_and_wait([task])
        await asyncio.to_thread(server.shutdown)
        server.server_close()
        with contextlib.suppress(RuntimeError):
            thread.join(1)


class MeasuredApp:
    """Wraps the whole application. Websockets are not measured, because they stay open."""

    def __init__(self, app: ASGIApp, requests: "Histogram") -> None:
        self._app = app
        self._requests = requests
        # Finding a series by its labels takes longer than adding to it.
        self._series: dict[tuple[str, int], Histogram] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started_at, status = time.perf_counter(), 500

        async def send_and_note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_and_note_status)
        finally:
            self._observe(service_of(scope["path"]), status // 100, time.perf_counter() - started_at)

    def _observe(self, service: str, status: int, seconds: float) -> None:
        series = self._series.get((service, status))
        if series is None:
            series = self._series[service, status] = self._requests.labels(service, f"{status}xx")
        series.observe(seconds)


def service_of(path: str) -> str:
    first_part = path[1:].partition("/")[0]
    return first_part if first_part in _SERVICES else "pages"
