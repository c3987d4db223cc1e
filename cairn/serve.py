"""Implements `cairn serve`: migrates the database, and runs the database, the worker and the web server."""

import asyncio
import contextlib
import errno
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

from cairn.app import running_app
from cairn.db import EmbeddedPostgres, migrate, with_login_role
from cairn.kit import Problem
from cairn.positions import rebase_positions
from cairn.production import refuse_development_settings
from cairn.settings import PREFIX, Settings
from cairn.shutdown import Shutdown
from cairn.supervise import Program, Supervisor, supervised_postgres
from cairn.waivers import load_seal
from cairn.web_server import (
    ADDRESS_FILE,
    SERVER_GRACE_SECONDS,
    allow_many_connections,
    run_web_server,
    stopping_on_signals,
)
from cairn.worker import stop_with_parent

# After the server has stopped, running jobs have this long to finish.
_WORKER_GRACE_SECONDS = 30.0
# A server process needs less than this to close its database connections and the processes that render documents.
_MAX_CLEAN_UP_SECONDS = 20.0


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


async def serve(settings: Settings, *, with_worker: bool, worker_command: list[str], server_command: list[str]) -> None:
    """Serves until a signal arrives.

    With `with_worker`, `worker_command` is run in a process of its own. With more than one server process,
    `server_command` is run in each of them.
    """
    allow_many_connections()
    refuse_development_settings(settings)
    if with_worker:
        # An unusable seal is reported here, where the operator sees it. A running worker reports it and tries again.
        load_seal(settings.data, settings.documents)
    listener = _bind(settings.host, settings.port)
    with listener, database_urls(settings) as (admin_url, login_url):
        await migrate_database(settings, admin_url)
        # Other processes need the URL for links in documents and emails, but they do not know our --port.
        variables = {f"{PREFIX}AUTH__SITE_URL": settings.auth.site_url}
        async with AsyncExitStack() as running:
            if settings.database.url is None:
                await running.enter_async_context(supervised_postgres(EmbeddedPostgres(settings.data)))
            if with_worker:
                worker = Program("worker", worker_command, variables, _WORKER_GRACE_SECONDS)
                await running.enter_async_context(Supervisor([worker]))
            if settings.processes > 1:
                await _run_processes(settings, listener, server_command, variables)
            else:
                shutdown = Shutdown()
                app = await running.enter_async_context(running_app(settings, login_url, shutdown))
                await run_web_server(app, settings, listener, asyncio.Event(), shutdown)


async def _run_processes(
    settings: Settings, listener: socket.socket, server_command: list[str], variables: Mapping[str, str]
) -> None:
    """Runs the server processes, which accept connections from the same listening socket, until a signal arrives."""
    descriptor = listener.fileno()
    stop = asyncio.Event()
    supervisor = Supervisor(
        [
            Program(
                f"server process {number}",
                [*server_command, f"--listener={descriptor}", f"--process-number={number}"],
                variables,
                _max_stop_seconds(settings),
                (descriptor,),
            )
            for number in range(1, settings.processes + 1)
        ]
    )
    with stopping_on_signals(stop, supervisor.interrupt):
        async with supervisor:
            await stop.wait()
            # Otherwise new connections would wait in the queue of the socket when no process accepts them any more.
            listener.close()


async def serve_one_of_several(settings: Settings, descriptor: int, process_number: int) -> None:
    """Serves in one of several processes, with a listening socket that was inherited from `cairn serve`."""
    allow_many_connections()
    parent_ended = asyncio.Event()
    watcher = asyncio.create_task(stop_with_parent(parent_ended, _max_stop_seconds(settings)))
    with socket.socket(fileno=descriptor) as listener, database_urls(settings) as (_, login_url):
        shutdown = Shutdown()
        async with running_app(_with_own_metrics_port(settings, process_number), login_url, shutdown) as app:
            await run_web_server(app, settings, listener, parent_ended, shutdown, process_number=process_number)
    watcher.cancel()


def _max_stop_seconds(settings: Settings) -> float:
    """After this time, a server process that does not stop is killed."""
    return settings.connections.drain.total_seconds() + SERVER_GRACE_SECONDS + _MAX_CLEAN_UP_SECONDS


def _with_own_metrics_port(settings: Settings, process_number: int) -> Settings:
    """Each process counts for itself, so Prometheus reads each of them at a port of its own."""
    if settings.metrics.port is None:
        return settings
    metrics = settings.metrics.model_copy(update={"port": settings.metrics.port + process_number - 1})
    return settings.model_copy(update={"metrics": metrics})


async def migrate_database(settings: Settings, admin_url: str, *, accept_other_secrets: bool = False) -> list[str]:
    steps = await migrate(
        admin_url,
        login_password=settings.database.login_password.get_secret_value(),
        secrets=settings.secrets_with_stored_fingerprints,
        accept_other_secrets=accept_other_secrets,
    )
    if await rebase_positions(admin_url):
        steps.append("the positions of another PostgreSQL cluster")
    return steps


def database_admin_url(settings: Settings) -> str:
    return settings.database.owner_url or EmbeddedPostgres(settings.data).url()


def last_served_url(settings: Settings) -> str | None:
    """Returns the URL at which this data folder was last served, so that `cairn keys` does not need the port."""
    try:
        return (settings.data / ADDRESS_FILE).read_text("utf-8").strip() or None
    except FileNotFoundError:
        return None


@contextmanager
def database_urls(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yields the database URLs of the schema owner and of the login role, without a pooler in transaction mode.

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
