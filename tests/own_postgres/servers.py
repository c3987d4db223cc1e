"""A PostgreSQL and a PgBouncer that listen on TCP and require passwords, as those of an operator do."""

import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import asyncpg

from cairn.db import postgres_program
from cairn.db.embedded import _unprivileged_prefix
from cairn.kit import frozen_dataclass
from tests.serving import free_port

SUPERUSER = "postgres"
PASSWORD = "a password of the tests"
LOGIN_PASSWORD = "the password of authenticator"
_START_SECONDS = 60.0


def installed_versions() -> dict[str, Path]:
    """Returns the folder of the programs of each PostgreSQL on this machine: the embedded one, and Debian's if any."""
    debian = {f"{folder.parent.name}": folder for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"))}
    return {**debian, "embedded": Path(postgres_program("postgres")).parent}


OLDEST = next(iter(installed_versions()))


@frozen_dataclass
class OwnPostgres:
    port: int

    def url(self, user: str = SUPERUSER, database: str = "postgres", *, port: int | None = None) -> str:
        password = LOGIN_PASSWORD if user == "authenticator" else PASSWORD
        return f"postgresql://{user}:{quote(password)}@127.0.0.1:{port or self.port}/{database}"

    async def run(self, *statements: str, database: str = "postgres") -> None:
        connection = await asyncpg.connect(self.url(database=database))
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    async def create_owner(self, attributes: str) -> None:
        await self.run(
            f"create role owner login password '{PASSWORD}' {attributes}", "create database cairn owner owner"
        )

    async def remove_cairn(self) -> None:
        """Removes the database and all roles of a test."""
        await self.run("drop database if exists cairn with (force)")
        for role in ("authenticator", "authenticated_by_id", "authenticated", "anon", "service_role"):
            await self.run(f"drop role if exists {role}")
        await self.run("drop role if exists owner", "drop role if exists administrator")


@contextmanager
def own_postgres(folder: Path, programs: Path, options: Mapping[str, str] | None = None) -> Iterator[OwnPostgres]:
    folder.mkdir(parents=True)
    (folder / "password").write_text(PASSWORD)
    _run(
        programs / "initdb", "-D", folder / "data", "-U", SUPERUSER, "--auth=scram-sha-256", "--no-sync",
        "--pwfile", folder / "password", "--encoding=UTF8", "--locale=C.UTF-8",
    )  # fmt: skip
    server = OwnPostgres(free_port())
    settings = {
        "listen_addresses": "127.0.0.1",
        "port": str(server.port),
        "unix_socket_directories": "",
        "fsync": "off",
        "full_page_writes": "off",
        "synchronous_commit": "off",
        **(options or {}),
    }
    flags = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
    pg_ctl = (programs / "pg_ctl", "-w", "-D", folder / "data")
    _run(*pg_ctl, "start", "-t", "60", "-l", folder / "log", "-o", flags)
    try:
        yield server
    finally:
        _run(*pg_ctl, "stop", "-m", "immediate")


@contextmanager
def pgbouncer(
    program: str, folder: Path, server: OwnPostgres, mode: str, options: Mapping[str, object] | None = None
) -> Iterator[int]:
    """Runs a pooler and yields its port. In transaction mode it has only three connections for each role by default."""
    folder.mkdir(parents=True)
    port = free_port()
    users = {"owner": PASSWORD, "authenticator": LOGIN_PASSWORD}
    all_options = {"default_pool_size": 3 if mode == "transaction" else 60, **(options or {})}
    (folder / "users").write_text("".join(f'"{name}" "{password}"\n' for name, password in users.items()))
    (folder / "pgbouncer.ini").write_text(
        f"""
        [databases]
        * = host=127.0.0.1 port={server.port}
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = {port}
        unix_socket_dir =
        auth_type = scram-sha-256
        auth_file = {folder / "users"}
        pool_mode = {mode}
        """.replace("\n        ", "\n")
        + "".join(f"{name} = {value}\n" for name, value in all_options.items())
    )
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [*_unprivileged_prefix(), program, str(folder / "pgbouncer.ini")], stdout=log, stderr=log
        )
    try:
        _wait_for_line(folder / "log", "process up")
        yield port
    finally:
        process.kill()
        process.wait()


def _run(program: Path, *arguments: str | Path) -> None:
    # The output is discarded, because the server inherits it and would keep a pipe open.
    result = subprocess.run(
        [*_unprivileged_prefix(), program, *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, check=False,
        env={**os.environ, "LC_ALL": "C"},
    )  # fmt: skip
    assert result.returncode == 0, f"{program} ended with {result.returncode}"


def _wait_for_line(log: Path, text: str) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while text not in log.read_text():
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)
