"""`cairn serve`: database, migrations, worker and web server, started in that order and stopped in the other."""

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
    message = "Port {port} on {host} is taken. Stop what is using it, or choose another: --port, or make run PORT=8123."


async def serve(settings: Settings, *, with_worker: bool, worker_command: list[str]) -> None:
    listening = _bind(settings.host, settings.port)
    with listening, database_urls(settings) as (admin_url, login_url):
        await migrate(admin_url, login_password=settings.database.login_password.get_secret_value())
        async with _worker(worker_command if with_worker else None, settings), running_app(settings, login_url) as app:
            await _answer(app, settings, listening)


def admin_address(settings: Settings) -> str:
    if settings.database.url is not None:
        return settings.database.url.get_secret_value()
    return EmbeddedPostgres(settings.data).url()


def last_address(settings: Settings) -> str | None:
    """Where the server of this data folder was reached last, so that `cairn keys` need not be told the port again."""
    try:
        return (settings.data / _ADDRESS_FILE).read_text("utf-8").strip() or None
    except FileNotFoundError:
        return None


@contextmanager
def database_urls(settings: Settings) -> Iterator[tuple[str, str]]:
    """The owner's address and the server's own, with the embedded server running while they are in use."""
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
    """Before anything else is started, so that a taken port costs nothing."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because event loops switch off Nagle's delay only on sockets that say they are TCP.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as taken:
        listening.close()
        raise PortTaken(host=host, port=port) from taken
    return listening


@asynccontextmanager
async def _worker(command: list[str] | None, settings: Settings) -> AsyncIterator[None]:
    """A process of its own, so that rendering and mailing never slow a page. It ends when its stdin does."""
    if command is None:
        yield
        return
    # Its own session keeps the terminal's Ctrl-C away from it: it is we who tell it to stop.
    process = subprocess.Popen(  # noqa: ASYNC220 - started once, before the first request
        [sys.executable, "-m", "cairn", *command],
        stdin=subprocess.PIPE,
        start_new_session=True,
        # Documents and mails carry links, and only we know which port the flags chose.
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
        """Ours are installed around it: uvicorn would raise the signal again before we have stopped the rest."""
        yield


async def _answer(app: object, settings: Settings, listening: socket.socket) -> None:
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
        # Signatures do not compress, and trying it anew for each of many readers would be most of the work.
        ws_per_message_deflate=False,
    )
    server = _Server(config)
    _leave_out_what_stays()
    with _stopping_on_signals(server):
        announcement = asyncio.create_task(_announce(server, settings))
        await server.serve(sockets=[listening])
        announcement.cancel()


def _leave_out_what_stays() -> None:
    """All that was loaded until now stays to the end: the garbage collector need not go through it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BEFORE_A_COLLECTION, 10, 10)


@contextmanager
def _stopping_on_signals(server: uvicorn.Server) -> Iterator[None]:
    loop = asyncio.get_running_loop()

    def stop() -> None:
        # A second Ctrl-C does not wait for open connections any longer.
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
    while not server.started:  # noqa: ASYNC110 - uvicorn offers no event for it
        await asyncio.sleep(0.01)
    (settings.data / _ADDRESS_FILE).write_text(settings.auth.site_url + "\n", "utf-8")
    logging.getLogger("cairn").info("Cairn is at %s", settings.auth.site_url)
    if settings.messaging.smtp is None:
        logging.getLogger("cairn").info("No mail server is set up: mails are kept and can be opened in Email History")


def reload_on_change(command: list[str]) -> None:
    """For development: runs the command again whenever a file of ours changes."""
    folder = Path(__file__).parent
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            seen = _newest_change(folder)
            process = subprocess.Popen([sys.executable, "-m", "cairn", *command])
            try:
                while _newest_change(folder) == seen:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(0.5)
            finally:
                process.send_signal(signal.SIGINT)
                process.wait()


def _newest_change(folder: Path) -> float:
    sources = (*folder.rglob("*.py"), *folder.rglob("*.sql"))
    return max(path.stat().st_mtime for path in sources)
