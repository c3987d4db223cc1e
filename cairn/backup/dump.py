"""Runs pg_dump, pg_restore and psql of the embedded PostgreSQL, even if the database is on another server."""

import asyncio
import os
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from urllib.parse import unquote, unquote_plus, urlsplit

from cairn.backup.errors import DumpFailed, RestoreFailed
from cairn.db import postgres_program

_CHUNK_BYTES = 1024 * 1024
# pg_restore sets this for every server, but only PostgreSQL 17 and newer know it.
_UNKNOWN_BEFORE_17 = b"SET transaction_timeout = 0;\n"
_VERSION_17 = 170_000

# `restore` has already migrated the empty database, which created the roles and the schemas. The schemas are dropped
# here and come from the dump, which may have been made by another version.
_DROP_SCHEMAS = b"""
set client_min_messages = warning;
do $$
declare
    name text;
begin
    for name in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
        execute format('drop schema %I cascade', name);
    end loop;
    create schema public authorization pg_database_owner;
    grant usage on schema public to public;
end
$$;
"""


async def dump_database(url: str, snapshot: str) -> AsyncIterator[bytes]:
    """Yields a dump in the custom format. `snapshot` was exported by a transaction that is still open."""
    with TemporaryFile() as errors:
        process = await _start("pg_dump", url, "--format=custom", f"--snapshot={snapshot}", stdout=PIPE, errors=errors)
        try:
            async for chunk in _output_of(process):
                yield chunk
        finally:
            await _end(process)
        if process.returncode != 0:
            raise DumpFailed(reason=_first_error(errors))


async def load_dump(url: str, dump: Path, server_version: int) -> None:
    """Replaces the schemas of the database with those of the dump, in one transaction."""
    with TemporaryFile() as errors:
        script = await asyncio.create_subprocess_exec(
            postgres_program("pg_restore"), "--no-owner", "--file=-", str(dump),
            stdin=DEVNULL, stdout=PIPE, stderr=errors,
        )  # fmt: skip
        psql = await _start(
            "psql", url, "-Xq", "--single-transaction", "--set=ON_ERROR_STOP=1", stdin=PIPE, errors=errors
        )
        try:
            await _feed(psql, _script(script, server_version))
        finally:
            await _end(script)
        if await psql.wait() != 0 or script.returncode != 0:
            raise RestoreFailed(reason=_first_error(errors))


async def _script(script: Process, server_version: int) -> AsyncIterator[bytes]:
    yield _DROP_SCHEMAS
    is_first = True
    async for chunk in _output_of(script):
        yield chunk.replace(_UNKNOWN_BEFORE_17, b"") if is_first and server_version < _VERSION_17 else chunk
        is_first = False


async def _feed(psql: Process, chunks: AsyncIterator[bytes]) -> None:
    assert psql.stdin is not None, "psql was started with a pipe"
    try:
        async for chunk in chunks:
            psql.stdin.write(chunk)
            await psql.stdin.drain()
    except (BrokenPipeError, ConnectionResetError):
        # psql has ended because of an error, which the caller reports.
        return
    psql.stdin.close()


async def _start(
    program: str, url: str, *arguments: str, errors: IO[bytes], stdin: int = DEVNULL, stdout: int = DEVNULL
) -> Process:
    url, password = _without_password(url)
    # Other users of the machine can see the arguments of a process, but not its environment.
    environment = {**os.environ, "LC_ALL": "C"} | ({} if password is None else {"PGPASSWORD": password})
    return await asyncio.create_subprocess_exec(
        postgres_program(program), *arguments, f"--dbname={url}",
        stdin=stdin, stdout=stdout, stderr=errors, env=environment,
    )  # fmt: skip


def _without_password(url: str) -> tuple[str, str | None]:
    """Removes the password and returns it. Like asyncpg, it prefers one before the host to one in the query."""
    parts = urlsplit(url)
    login, separator, host = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    parameters = [parameter.partition("=") for parameter in parts.query.split("&")]
    passwords = [unquote_plus(value) for name, _, value in parameters if unquote(name) == "password"]
    query = "&".join("".join(parameter) for parameter in parameters if unquote(parameter[0]) != "password")
    # urlunsplit would write "postgresql:/cairn" for a URL without a host, which is not a URL for pg_dump.
    without_password = f"{parts.scheme}://{user}{separator}{host}{parts.path}{'?' if query else ''}{query}"
    return without_password, unquote(password) if password else next(reversed(passwords), None)


async def _output_of(process: Process) -> AsyncIterator[bytes]:
    assert process.stdout is not None, "the process was started with a pipe"
    while chunk := await process.stdout.read(_CHUNK_BYTES):
        yield chunk


async def _end(process: Process) -> None:
    """Waits for the end of the process. Kills it first if its output was not read to the end."""
    if process.stdout is not None and not process.stdout.at_eof():
        process.kill()
    await process.wait()


def _first_error(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    errors_only = [line for line in lines if "ERROR:" in line or "error:" in line]
    return next(iter(errors_only or lines), "no reason was given.")
