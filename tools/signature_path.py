"""Follows one signature through the running product and lists, in order, every file with code that runs.

The Python files come from a profiler. The SQL files come from PostgreSQL's statistics of called functions: the
definitions of these functions are looked up in the `sql/` folders.
"""

import asyncio
import gc
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import field, replace
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx

from cairn import billing, storage, waivers
from cairn.app import running_app
from cairn.auth import Keyring
from cairn.db import ANON, SERVICE, Database, EmbeddedPostgres, migrate, shipped_definitions
from cairn.jobs import Job, OutboxNotifier
from cairn.kit import PoolSize, frozen_dataclass, now
from cairn.realtime import service as realtime_service
from cairn.settings import Settings, load_settings
from cairn.worker import all_jobs, mail_sender
from tests.factories import make_session, signature_data_url
from tests.people import Person, sign_up
from tests.realtime.client import connected
from tests.realtime.conftest import serve_app

ROOT = Path(__file__).parent.parent
PACKAGE = str(ROOT / "cairn")
# True in the block that is recorded, and in the tasks that it starts.
_is_recorded = ContextVar("_is_recorded", default=False)


@frozen_dataclass
class Step:
    title: str
    files: list[str] = field(default_factory=list)


async def trace_signature() -> list[Step]:
    with tempfile.TemporaryDirectory(prefix="cairn-path-") as folder:
        settings = load_settings(data=Path(folder))
        postgres = EmbeddedPostgres(Path(folder))
        with postgres.running():
            password = settings.database.login_password.get_secret_value()
            await migrate(postgres.url(), login_password=password)
            return await _trace_steps(settings, postgres.url(), postgres.url("authenticator", password))


async def _trace_steps(settings: Settings, admin_url: str, login_url: str) -> list[Step]:
    admin = await asyncpg.connect(admin_url)
    await admin.execute("alter system set track_functions = 'all'")
    await admin.execute("select pg_reload_conf()")
    async with Database(login_url) as database:
        rosa = await sign_up(database, "rosa@rio-rafting.example", "Rosa Marín", company="Rio Rafting")
        session_id = await make_session(database, rosa)
    # A connection reports its function calls when it ends, so the counters are reset after all connections have ended.
    await _wait_until_disconnected(admin)
    await admin.execute("select pg_stat_reset()")
    request, waiver_id = await _trace_request(settings, login_url, session_id)
    await _wait_until_disconnected(admin)
    steps = [request, Step("PostgreSQL, in the same transaction", await _called_definitions(admin))]
    await admin.close()
    async with Database(login_url) as database:
        steps += [step async for step in _trace_jobs(settings, database, waiver_id)]
        steps.append(await _trace_live_update(settings, database, login_url, rosa))
    return steps


async def _trace_request(settings: Settings, login_url: str, session_id: UUID) -> tuple[Step, UUID]:
    waiver_id = uuid4()
    row = {
        "id": str(waiver_id), "session_id": str(session_id), "signer_name": "Gil Okafor",
        "signer_email": "gil@example.com", "signature": signature_data_url(),
    }  # fmt: skip
    headers = {"apikey": Keyring(settings.auth).anon_key, "Prefer": "return=minimal"}
    async with running_app(settings, login_url) as app:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=settings.auth.site_url) as guest:
            # The first request of a server reads the catalog, which does not belong to a signature.
            await guest.get("/rest/v1/consent_texts?limit=1", headers=headers)
            with record_files() as files:
                (await guest.post("/rest/v1/signed_waivers", json=row, headers=headers)).raise_for_status()
    return Step("The request, `POST /rest/v1/signed_waivers`", files), waiver_id


async def _wait_until_disconnected(admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    while await admin.fetchval("select exists (select from pg_stat_activity where usename = 'authenticator')"):  # noqa: ASYNC110 - only the database knows
        await asyncio.sleep(0.02)


async def _called_definitions(admin: "asyncpg.Connection[asyncpg.Record]") -> list[str]:
    """Returns the files of the called functions.

    PostgreSQL does not count functions that it inlined, so functions that a called function names are added.
    """
    rows = await admin.fetch("select schemaname || '.' || funcname as name from pg_stat_user_functions")
    functions = {
        definition.object.removeprefix("function "): definition
        for definition in shipped_definitions()
        if "function " in definition.object
    }
    called_names = {row["name"] for row in rows} & functions.keys()
    while True:
        bodies = [functions[name].sql for name in called_names]
        inlined_names = {name for name in functions if any(f"{name}(" in body for body in bodies)} - called_names
        if not inlined_names:
            break
        called_names |= inlined_names
    return sorted({functions[name].file for name in called_names})


async def _trace_jobs(settings: Settings, database: Database, waiver_id: UUID) -> AsyncIterator[Step]:
    """Runs each job that follows a signature as the worker does, and the job that sends the email to the signer."""
    async with _worker_jobs(settings, database) as jobs:
        for job in [job for job in jobs if job.on == "waiver.signed"]:
            with record_files() as files:
                await job.run({"waiver_id": str(waiver_id)}, False)
            yield Step(f"Worker, job `{job.name}`", files)
        [send_email] = [job for job in jobs if job.on == "email.requested"]
        with record_files() as files:
            await send_email.run({"email_id": await _latest_email_id(database)}, False)
        yield Step(f"Worker, job `{send_email.name}` for the signer's copy", files)


class _RenderingInThisProcess:
    """Renders documents in this process, where the called files can be recorded."""

    size = PoolSize(processes=1, processes_per_key=1, calls_per_process=1)

    async def run(self, _key: str, function: Callable[..., bytes], *args: object) -> bytes:
        return await asyncio.to_thread(_record_in_thread, function, args)


def _record_in_thread(function: Callable[..., bytes], args: tuple[object, ...]) -> bytes:
    sys.setprofile(threading.getprofile())
    return function(*args)


@asynccontextmanager
async def _worker_jobs(settings: Settings, database: Database) -> AsyncIterator[list[Job]]:
    blob_store = storage.open_blob_store(settings.storage, settings.data / "storage")
    objects = storage.ObjectStorage(database, blob_store, settings.storage)
    documents = replace(
        waivers.open_documents(
            objects,
            settings.data,
            settings.auth.site_url,
            settings.messaging,
            settings.documents,
            certificate_secret=settings.certificate_secret,
        ),
        rendering=_RenderingInThisProcess(),  # type: ignore[arg-type] # it has only the method that is called
    )
    documents.seal.load()
    context = billing.open_billing(
        database, settings.billing, secret=settings.sealing_secret, site_url=settings.auth.site_url
    )
    yield all_jobs(settings, mail_sender(settings, database, documents), documents, documents.seal, context)


async def _latest_email_id(database: Database) -> str:
    async with database.acting_as(SERVICE) as connection:
        return str(await connection.fetchval("select id from emails order by created_at desc limit 1"))


async def _trace_live_update(settings: Settings, database: Database, login_url: str, rosa: Person) -> Step:
    keyring = Keyring(settings.auth)
    session_id = await make_session(database, rosa)
    async with OutboxNotifier(login_url) as notifier:
        app = realtime_service(database, notifier=notifier, principal_of=keyring.principal, settings=settings.realtime)
        async with serve_app(app) as address, connected(address, keyring.anon_key) as dashboard:
            await dashboard.watch(
                _token(keyring, rosa), {"event": "INSERT", "schema": "public", "table": "signed_waivers"}
            )
            async with database.acting_as(ANON) as connection:
                await connection.execute(
                    """
                    insert into signed_waivers (session_id, signer_name, signer_email, signature)
                    values ($1, $2, $3, $4)
                    """,
                    session_id, "Gil Okafor", "gil@example.com", signature_data_url(),
                )  # fmt: skip
            # The task that delivers changes runs already.
            with record_files(earlier_tasks=True) as files:
                notifier.notify()
                await dashboard.next_change()
    return Step("Realtime, on each server with an open dashboard", files)


def _token(keyring: Keyring, person: Person) -> str:
    return keyring.access_token({"sub": str(person.id), "email": person.email}, now())


@contextmanager
def record_files(*, earlier_tasks: bool = False) -> Iterator[list[str]]:
    """Yields a list. When the block ends, it contains the files of `cairn` whose functions were called, in order.

    Tasks that were started earlier, such as those that wait for news from the database, are recorded only on request.
    """
    called_files: dict[str, None] = {}

    def record(frame: FrameType, event: str, _argument: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(PACKAGE) and (earlier_tasks or _is_recorded.get()):
            called_files.setdefault(Path(file).relative_to(ROOT).as_posix())

    files: list[str] = []
    # Without this, a file with a finalizer would be recorded or not, depending on when garbage is collected.
    gc.collect()
    gc.disable()
    token = _is_recorded.set(True)
    sys.setprofile(record)
    threading.setprofile(record)
    try:
        yield files
    finally:
        _is_recorded.reset(token)
        sys.setprofile(None)
        threading.setprofile(None)
        gc.enable()
        files.extend(called_files)
