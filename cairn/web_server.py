"""Runs the web server of one process until it is requested to stop."""

import asyncio
import gc
import logging
import math
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import uvicorn
from starlette.types import ASGIApp

from cairn.kit import cancel_and_wait
from cairn.open_requests import LimitedRequests
from cairn.settings import Settings
from cairn.shutdown import Shutdown
from cairn.slow_clients import ConnectionLimits, LimitedProtocol, LimitedWebSocketProtocol, close_slow_connections

# After a signal, open connections have this long to finish.
SERVER_GRACE_SECONDS = 10
# The URL of the running server is written into this file of the data folder.
ADDRESS_FILE = "address"
# The garbage collector runs after this many new objects. The much lower default would interrupt requests too often.
_GC_THRESHOLD = 10_000
_MAX_OPEN_FILES = 65_536


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Does nothing. uvicorn would raise the signal again before the worker and the database are stopped."""
        yield


async def run_web_server(
    app: ASGIApp,
    settings: Settings,
    listener: socket.socket,
    stop: asyncio.Event,
    shutdown: Shutdown,
    *,
    process_number: int = 1,
) -> None:
    """Serves until a signal arrives or `stop` is set. Of several processes on one port, the first announces the URL."""
    limits = ConnectionLimits(settings.connections, settings.trusted_proxies)
    config = uvicorn.Config(
        LimitedRequests(app, settings.connections.per_network, settings.trusted_proxies),
        http=partial(LimitedProtocol, limits=limits),  # type: ignore[arg-type] # uvicorn only calls it
        ws=partial(LimitedWebSocketProtocol, limits=limits),  # type: ignore[arg-type] # uvicorn only calls it
        log_config=None,
        access_log=False,
        lifespan="off",
        server_header=False,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_keep_alive=math.ceil(limits.keep_alive_seconds),
        timeout_graceful_shutdown=SERVER_GRACE_SECONDS,
        ws_max_size=settings.realtime.max_frame_bytes,
        # Signatures do not compress well, and every message would be compressed again for each subscriber.
        ws_per_message_deflate=False,
    )
    server = _Server(config)
    _freeze_loaded_objects()

    def force_exit() -> None:
        server.force_exit = server.should_exit = True

    async def drain_when_stopped() -> None:
        await stop.wait()
        limits.is_draining = shutdown.is_announced = True
        await asyncio.sleep(settings.connections.drain.total_seconds())
        await shutdown.prepare()
        server.should_exit = True

    with stopping_on_signals(stop, force_exit):
        tasks = (
            asyncio.create_task(drain_when_stopped()),
            asyncio.create_task(_announce(server, settings, process_number)),
            asyncio.create_task(close_slow_connections(server.server_state.connections)),
        )
        await server.serve(sockets=[listener])
        await cancel_and_wait(tasks)


def allow_many_connections() -> None:
    """Raises the limit of open files, which is 1,024 on many systems. Each connection is an open file."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not available on Windows

    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    new_limit = _MAX_OPEN_FILES if hard_limit == resource.RLIM_INFINITY else min(hard_limit, _MAX_OPEN_FILES)
    if soft_limit != resource.RLIM_INFINITY and soft_limit < new_limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (new_limit, hard_limit))


def _freeze_loaded_objects() -> None:
    """Excludes everything loaded so far from garbage collection, because it is needed until the process ends."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD, 10, 10)


@contextmanager
def stopping_on_signals(stop: asyncio.Event, force: Callable[[], None]) -> Iterator[None]:
    """Sets `stop` after the first signal. A Ctrl-C after that calls `force`, because the user does not want to wait.

    A second SIGTERM changes nothing. A service manager sends it to every process, even to those that are stopping.
    """
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        if stop.is_set():
            force()
        stop.set()

    loop.add_signal_handler(signal.SIGINT, interrupt)
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    try:
        yield
    finally:
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(signal_number)


async def _announce(server: uvicorn.Server, settings: Settings, process_number: int) -> None:
    """Once the server accepts connections, writes its URL into the data folder and into the log."""
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    if process_number > 1:
        return
    (settings.data / ADDRESS_FILE).write_text(settings.auth.site_url + "\n", "utf-8")
    logging.getLogger("cairn").info("Cairn is running at %s", settings.auth.site_url)
    if settings.messaging.smtp is None:
        logging.getLogger("cairn").info("No mail server is configured: emails are kept in Email History")
