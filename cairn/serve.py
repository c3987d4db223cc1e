"""Implements `cairn serve`: migrates the database, and runs the database, the worker and the web server."""

import asyncio
import contextlib
import errno
import gc
import logging
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from pathlib import Path

import uvicorn

from cairn.app import running_app
from cairn.db import EmbeddedPostgres, migrate, with_login_role
from cairn.kit import Problem
from cairn.positions import rebase_positions
from cairn.production import refuse_development_settings
from cairn.settings import PREFIX, Settings
from cairn.slow_clients import ConnectionLimits, LimitedProtocol, LimitedWebSocketProtocol, close_slow_connections
from cairn.supervise import supervised_postgres, supervised_worker
from cairn.waivers import load_seal

# After a signal, open connections have this long to finish.
_SERVER_GRACE_SECONDS = 10
# The URL of the running server is written into this file of the data folder.
_ADDRESS_FILE = "address"
# The garbage collector runs after this many new objects. The much lower default would interrupt requests too often.
_GC_THRESHOLD = 10_000
_MAX_OPEN_FILES = 65_536


class PortTaken(Problem):
    code = "port_taken"
    message = (
        "Port {port} on {host} is in use. "
        "Stop the other program, or choose another port: --port, or make run PORT=8123."
    )


class AddressUnusable(Problem):
    code = "address_unusable"
    message = (
        "Cairn cannot listen on {host}, port {port} ({reason}). "
        "Choose an address of this machine: --host and --port, or CAIRN_HOST and CAIRN_PORT."
    )


async def serve(settings: Settings, *, with_worker: bool, worker_command: list[str]) -> None:
    """Serves until a signal arrives. With `with_worker`, `worker_command` is run in a second process."""
    _allow_many_connections()
    refuse_development_settings(settings)
    if with_worker:
        # An unusable seal is reported here, where the operator sees it. A running worker reports it and tries again.
        load_seal(settings.data, settings.documents)
    listener = _bind(settings.host, settings.port)
    with listener, database_urls(settings) as (admin_url, login_url):
        await migrate_database(settings, admin_url)
        async with AsyncExitStack() as running:
            if settings.database.url is None:
                await running.enter_async_context(supervised_postgres(EmbeddedPostgres(settings.data)))
            if with_worker:
                # The worker needs the URL for links in documents and emails, but it does not know our --port.
                site_url = {f"{PREFIX}AUTH__SITE_URL": settings.auth.site_url}
                await running.enter_async_context(supervised_worker(worker_command, site_url))
            app = await running.enter_async_context(running_app(settings, login_url))
            await _run_server(app, settings, listener)


async def migrate_database(settings: Settings, admin_url: str) -> list[str]:
    password = settings.database.login_password.get_secret_value()
    steps = await migrate(admin_url, login_password=password, secrets=settings.encryption_secrets)
    if await rebase_positions(admin_url):
        steps.append("the positions of another PostgreSQL cluster")
    return steps


def database_admin_url(settings: Settings) -> str:
    return settings.database.owner_url or EmbeddedPostgres(settings.data).url()


def last_served_url(settings: Settings) -> str | None:
    """Returns the URL at which this data folder was last served, so that `cairn keys` does not need the port."""
    try:
        return (settings.data / _ADDRESS_FILE).read_text("utf-8").strip() or None
    except FileNotFoundError:
        return None


@contextmanager
def database_urls(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yields the database URLs of the schema owner and of the login role, for sessions and not for a pooler.

    Without a configured database, the embedded PostgreSQL runs inside this context.
    """
    password = settings.database.login_password.get_secret_value()
    admin_url = settings.database.owner_url
    if admin_url is not None:
        yield admin_url, with_login_role(admin_url, password)
        return
    postgres = EmbeddedPostgres(settings.data)
    with postgres.running():
        yield postgres.url(), postgres.url("authenticator", password)


def _bind(host: str, port: int) -> socket.socket:
    """Reserves the port. This happens before the database is started, so that a port in use is reported immediately."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Event loops set TCP_NODELAY only if the protocol is given explicitly.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, UnicodeError) as error:
        listener.close()
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise PortTaken(host=host, port=port) from error
        raise AddressUnusable(host=host, port=port, reason=getattr(error, "strerror", None) or error) from error
    return listener


def _allow_many_connections() -> None:
    """Raises the limit of open files, which is 1,024 on many systems. Each connection is an open file."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not available on Windows

    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    new_limit = _MAX_OPEN_FILES if hard_limit == resource.RLIM_INFINITY else min(hard_limit, _MAX_OPEN_FILES)
    if soft_limit != resource.RLIM_INFINITY and soft_limit < new_limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (new_limit, hard_limit))


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Does nothing. uvicorn would raise the signal again before the worker and the database are stopped."""
        yield


async def _run_server(app: object, settings: Settings, listener: socket.socket) -> None:
    limits = ConnectionLimits(settings.connections, settings.trusted_proxies)
    config = uvicorn.Config(
        app,  # type: ignore[arg-type] # Starlette is an ASGI application; the stubs do not say so
        http=partial(LimitedProtocol, limits=limits),  # type: ignore[arg-type] # uvicorn only calls it
        ws=partial(LimitedWebSocketProtocol, limits=limits),  # type: ignore[arg-type] # uvicorn only calls it
        log_config=None,
        access_log=False,
        lifespan="off",
        server_header=False,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=_SERVER_GRACE_SECONDS,
        ws_max_size=settings.realtime.max_frame_bytes,
        # Signatures do not compress well, and every message would be compressed again for each subscriber.
        ws_per_message_deflate=False,
    )
    server = _Server(config)
    _freeze_loaded_objects()
    with _stopping_on_signals(server):
        tasks = (
            asyncio.create_task(_announce(server, settings)),
            asyncio.create_task(close_slow_connections(server.server_state.connections)),
        )
        await server.serve(sockets=[listener])
        for task in tasks:
            task.cancel()


def _freeze_loaded_objects() -> None:
    """Excludes everything loaded so far from garbage collection, because it is needed until the process ends."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD, 10, 10)


@contextmanager
def _stopping_on_signals(server: uvicorn.Server) -> Iterator[None]:
    loop = asyncio.get_running_loop()

    def stop() -> None:
        # After the second signal, the server no longer waits for open connections.
        server.force_exit = server.should_exit
        server.should_exit = True

    for signal_number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(signal_number, stop)
    try:
        yield
    finally:
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(signal_number)


async def _announce(server: uvicorn.Server, settings: Settings) -> None:
    """Once the server accepts connections, writes its URL into the data folder and into the log."""
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    (settings.data / _ADDRESS_FILE).write_text(settings.auth.site_url + "\n", "utf-8")
    logging.getLogger("cairn").info("Cairn is running at %s", settings.auth.site_url)
    if settings.messaging.smtp is None:
        logging.getLogger("cairn").info("No mail server is configured: emails are kept in Email History")


def reload_on_change(arguments: list[str]) -> None:
    """Runs `cairn` with these arguments, and restarts it whenever a source file changes. This is for development."""
    folder = Path(__file__).parent
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            newest_change = _newest_change(folder)
            process = subprocess.Popen([sys.executable, "-m", "cairn", *arguments])
            try:
                while _newest_change(folder) == newest_change:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(0.5)
            finally:
                process.send_signal(signal.SIGINT)
                process.wait()


def _newest_change(folder: Path) -> float:
    """Returns the time of the last change to a source file."""
    sources = (*folder.rglob("*.py"), *folder.rglob("*.sql"))
    return max(path.stat().st_mtime for path in sources)
