"""Runs the `cairn` command as an operator does."""

import asyncio
import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ParamSpec
from unittest.mock import patch

import httpx

from cairn.commands.keys import connection_details
from cairn.kit import default_ssl_context
from cairn.messaging import SmtpSettings
from cairn.settings import load_settings

# The first start of a database is slow on a loaded machine.
_START_TIMEOUT_SECONDS = 180.0
_COMMAND_TIMEOUT_SECONDS = 180.0
_STOP_TIMEOUT_SECONDS = 60.0
_Arguments = ParamSpec("_Arguments")


@dataclass(slots=True)
class RunningServer:
    """Holds the process of a running `cairn serve` and the values that `cairn keys` prints."""

    process: "subprocess.Popen[bytes]"
    data: Path
    url: str
    anon_key: str
    service_key: str
    db_url: str

    @property
    def worker_pid(self) -> int:
        """The process id of the worker that this server has started."""
        [worker] = self._children(b"--until-stdin-closes")
        return worker

    @property
    def server_pids(self) -> list[int]:
        """The ids of the server processes, if there are several."""
        return self._children(b"--listener")

    def _children(self, argument: bytes) -> list[int]:
        pids = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(pid) for pid in pids if argument in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def interrupt(self) -> int:
        """Sends Ctrl-C and returns the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(_STOP_TIMEOUT_SECONDS)


# All requests of a test come from one IP address, so rate limits per address would make the test fail.
NO_RATE_LIMITS = {f"CAIRN_AUTH__RATE_LIMIT_{kind}": "100000" for kind in ("OTP", "VERIFY", "TOKEN_REFRESH")}


def environment(**settings: str) -> dict[str, str]:
    """Returns the environment of this process with its `CAIRN_` variables replaced by `settings` and NO_RATE_LIMITS."""
    inherited_variables = {name: value for name, value in os.environ.items() if not name.startswith("CAIRN_")}
    return {**inherited_variables, **NO_RATE_LIMITS, **settings}


def smtp_environment(smtp: SmtpSettings) -> dict[str, str]:
    prefix = "CAIRN_MESSAGING__SMTP__"
    return {f"{prefix}HOST": smtp.host, f"{prefix}PORT": str(smtp.port), f"{prefix}SECURITY": smtp.security}


def run_cairn(*arguments: str | Path, **settings: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "cairn", *map(str, arguments)],
        env=environment(**settings), capture_output=True, text=True, check=False, timeout=_COMMAND_TIMEOUT_SECONDS,
    )  # fmt: skip


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(
    data: Path,
    *,
    port: int | None = None,
    settings: Mapping[str, str] | None = None,
    worker: bool = True,
    processes: int = 1,
) -> Iterator[RunningServer]:
    port = port or free_port()
    if not (data.exists() and any(data.iterdir())) and not (settings and "CAIRN_DATABASE__URL" in settings):
        shutil.copytree(_migrated_data_folder(), data, dirs_exist_ok=True)
    flags = ["--data", str(data), "--port", str(port), *([] if worker else ["--no-worker"])]
    flags += ["--processes", str(processes)] if processes > 1 else []
    process = subprocess.Popen(
        [sys.executable, "-m", "cairn", "serve", *flags],
        env=environment(**(settings or {})),
    )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_until_ready(process, url)
        keys = _keys(data)
        yield RunningServer(process, data, url, keys["anon_key"], keys["service_key"], keys["db_url"])
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(_STOP_TIMEOUT_SECONDS)
            finally:
                process.kill()
                process.wait()


def _in_thread(
    run: Callable[_Arguments, AbstractContextManager[RunningServer]],
) -> Callable[_Arguments, AbstractAsyncContextManager[RunningServer]]:
    """Starts and stops the server in a thread, so that fakes on the event loop can respond to it meanwhile."""

    @asynccontextmanager
    async def run_in_thread(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> AsyncIterator[RunningServer]:
        context_manager = run(*arguments, **options)
        server = await asyncio.to_thread(context_manager.__enter__)
        try:
            yield server
        finally:
            await asyncio.to_thread(context_manager.__exit__, None, None, None)

    return run_in_thread


serving_in_thread = _in_thread(serving)


@cache
def _migrated_data_folder() -> Path:
    """Returns a data folder with secrets and an empty database. Creating a database takes longer than copying this."""
    folder = Path(tempfile.mkdtemp(prefix="cairn-migrated-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    migration = run_cairn("migrate", "--data", folder)
    assert migration.returncode == 0, migration.stderr
    return folder


def _keys(data: Path) -> dict[str, str]:
    """Returns what `cairn keys` prints. Starting another process for it would take longer."""
    with patch.dict(os.environ, environment(), clear=True):
        return connection_details(load_settings(data=data))


def _wait_until_ready(process: "subprocess.Popen[bytes]", url: str) -> None:
    deadline = time.monotonic() + _START_TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise AssertionError(f"cairn serve ended with {process.returncode} before it responded")
        try:
            httpx.get(f"{url}/auth/v1/health", verify=default_ssl_context())
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"no response from {url}")
