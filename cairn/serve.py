"""`cairn serve`: starts database, migrations, worker and web server in this order, and stops them in reverse."""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import uvicorn

from cairn.app import running_app
from cairn.db import EmbeddedPostgres, migrate
from cairn.kit import Problem
from cairn.one_write import OneWriteProtocol
from cairn.settings import PREFIX, Settings

_GRACE_SECONDS = 10
_ADDRESS_FILE = "address"
_WORKER_GRACE_SECONDS = 30
_OBJECTS_BEFORE_A_COLLECTION = 10_000


class PortTaken(Problem):
    code = "port_taken"
    message = (
        "Port {port} on {host} is in use. "
        "Stop the other program, or choose another port: --port, or make run PORT=8123."
    )


async def serve(settings: Settings, *, with_worker: bool, worker_command: list[str]) -> None:
    listener = _bind(settings.host, settings.port)
    with listener, database_urls(settings) as (admin_url, login_url):
        await migrate(admin_url, login_password=settings.database.login_password.get_secret_value())
        async with _worker(worker_command if with_worker else None, settings), running_app(settings, login_url) as app:
            await _run_server(app, settings, listener)


def admin_address(settings: Settings) -> str:
    if settings.database.url is not None:
        return settings.database.url.get_secret_value()
    return EmbeddedPostgres(settings.data).url()


def last_address(settings: Settings) -> str | None:
    """The URL at which this data folder was last served, so that `cairn keys` does not need the port."""
    try:
        return (settings.data / _ADDRESS_FILE).read_text("utf-8").strip() or None
    except FileNotFoundError:
        return None


@contextmanager
def database_urls(settings: Settings) -> Iterator[tuple[str, str]]:
    """The URLs of the schema owner and of the login role, valid while the embedded PostgreSQL runs."""
    password = settings.database.login_password.get_secret_value()
    if settings.database.url is not None:
        admin_url = settings.database.url.get_secret_value()
        yield admin_url, _as_login(admin_url, password)
        return
    postgres = EmbeddedPostgres(settings.data)
    with postgres.running():
        yield postgres.url(), postgres.url("authenticator", password)


def _as_login(admin_url: str, password: str) -> str:
    parts = urlsplit(admin_url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"authenticator:{quote(password, safe='')}@{host}"))


def _bind(host: str, port: int) -> socket.socket:
    """Called before anything is started, so that a port in use fails fast."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is given because event loops set TCP_NODELAY only on sockets that are known to be TCP.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as taken:
        listener.close()
        raise PortTaken(host=host, port=port) from taken
    return listener


@asynccontextmanager
async def _worker(command: list[str] | None, settings: Settings) -> AsyncIterator[None]:
    """Runs the worker as a separate process, so that rendering never slows a page. Closing its stdin stops it."""
    if command is None:
        yield
        return
    # In a new session it does not receive the terminal's Ctrl-C: we stop it after the server.
    process = subprocess.Popen(  # noqa: ASYNC220 - started once, before the first request
        [sys.executable, "-m", "cairn", *command],
        stdin=subprocess.PIPE,
        start_new_session=True,
        # Documents and emails contain links, and only this process knows the port given on the command line.
        env={**os.environ, f"{PREFIX}AUTH__SITE_URL": settings.auth.site_url},
    )
    try:
        yield
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.to_thread(process.wait, _WORKER_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Disabled: uvicorn would raise the signal again before the worker and the database are stopped."""
        yield


async def _run_server(app: object, settings: Settings, listener: socket.socket) -> None:
    config = uvicorn.Config(
        app,  # type: ignore[arg-type] # Starlette is an ASGI application; the stubs do not say so
        http=OneWriteProtocol,
        log_config=None,
        access_log=False,
        lifespan="off",
        server_header=False,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ws_max_size=4 * 1024 * 1024,
        # Signatures do not compress, and compressing once per subscriber would be most of the work.
        ws_per_message_deflate=False,
    )
    server = _Server(config)
    _freeze_loaded_objects()
    with _stopping_on_signals(server):
        announcement = asyncio.create_task(_announce(server, settings))
        await server.serve(sockets=[listener])
        announcement.cancel()


def _freeze_loaded_objects() -> None:
    """Everything loaded until now lives until the end, so the garbage collector need not scan it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BEFORE_A_COLLECTION, 10, 10)


@contextmanager
def _stopping_on_signals(server: uvicorn.Server) -> Iterator[None]:
    loop = asyncio.get_running_loop()

    def stop() -> None:
        # A second Ctrl-C no longer waits for open connections.
        server.force_exit = server.should_exit
        server.should_exit = True

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


async def _announce(server: uvicorn.Server, settings: Settings) -> None:
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    (settings.data / _ADDRESS_FILE).write_text(settings.auth.site_url + "\n", "utf-8")
    logging.getLogger("cairn").info("Cairn is running at %s", settings.auth.site_url)
    if settings.messaging.smtp is None:
        logging.getLogger("cairn").info("No mail server is configured: emails are kept in Email History")


def reload_on_change(command: list[str]) -> None:
    """For development: restarts the command whenever a source file changes."""
    folder = Path(__file__).parent
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            started_with = _newest_change(folder)
            process = subprocess.Popen([sys.executable, "-m", "cairn", *command])
            try:
                while _newest_change(folder) == started_with:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(0.5)
            finally:
                process.send_signal(signal.SIGINT)
                process.wait()


def _newest_change(folder: Path) -> float:
    sources = (*folder.rglob("*.py"), *folder.rglob("*.sql"))
    return max(path.stat().st_mtime for path in sources)
