"""Two servers behind nginx and two workers are restarted one after the other while guests sign. Nothing is lost.

The servers, with two processes each, and the workers share no disk. They use one S3 store and, through PgBouncer in
transaction mode, one PostgreSQL of the oldest installed version. The owner of the database is no superuser.
"""

import asyncio
import hashlib
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from uuid import uuid4

import asyncpg
import httpx
import pytest

from cairn.auth import Keyring
from tests.abuse.honest import insert_waiver, waiver_row
from tests.factories import SAMPLE_TEMPLATE_ID
from tests.faults.live_changes import LiveChanges, live_changes
from tests.faults.nginx import Nginx, running_nginx
from tests.faults.test_supervision import is_ready, wait_until
from tests.own_postgres.servers import OLDEST, OwnPostgres, installed_versions, own_postgres, pgbouncer
from tests.own_postgres.test_poolers import keyring_of, secrets
from tests.realtime.test_real_client import real_client
from tests.serving import RunningServer, environment, free_port, serving_in_thread
from tests.storage.s3 import keys_in, s3_server
from tests.waiting import wait_until_true
from tests.waivers.documents.test_storing import bearer, sealed_waiver, sign_up

GUEST_COUNT = 3
# A server that was stopped accepts requests for this long. nginx reloads its configuration in less time.
DRAIN_SECONDS = 3
# Several processes start at the same time.
START_TIMEOUT_SECONDS = 120


@pytest.mark.faults
@pytest.mark.timeout(900)
async def test_a_rolling_restart_loses_no_request_and_no_live_change(
    tmp_path: Path, root: Path, pgbouncer_program: str, nginx_program: str
) -> None:
    ports = free_port(), free_port()
    exit_statuses: list[int] = []
    failures: list[str] = []
    async with AsyncExitStack() as stack:
        nginx = stack.enter_context(running_nginx(nginx_program, tmp_path / "nginx", ports))
        s3_port = stack.enter_context(s3_server())
        postgres = stack.enter_context(own_postgres(tmp_path / "postgres", installed_versions()[OLDEST]))
        await postgres.create_owner("createrole")
        options = {"default_pool_size": 20, "max_client_conn": 200}
        pooler = pgbouncer(pgbouncer_program, tmp_path / "pooler", postgres, "transaction", options)
        settings = settings_of(postgres, stack.enter_context(pooler), s3_port, nginx)
        keyring = keyring_of(settings)

        async def start(port: int) -> RunningServer:
            data = tmp_path / f"server {port}"
            server = serving_in_thread(data, port=port, settings=settings, worker=False, processes=2)
            return await stack.enter_async_context(server)

        servers = [await start(port) for port in ports]
        workers = [Worker(tmp_path / f"worker {number}", settings) for number in (1, 2)]
        for worker in workers:
            stack.enter_context(worker.running())
        for server in servers:
            await wait_until(partial(is_ready, server), timeout_seconds=START_TIMEOUT_SECONDS)
        client = await stack.enter_async_context(client_of(nginx, keyring))
        rosa = await sign_up(client, "rosa@rio-rafting.example")
        live = await stack.enter_async_context(watching(root, nginx, keyring, rosa))

        signed = {await sign_waiver_and_check_document(client, rosa, s3_port)}
        async with guests_signing(client, rosa, signed, failures):
            for server, port, worker in zip(servers, ports, workers, strict=True):
                nginx.reload(down=[port])
                exit_statuses.append(await asyncio.to_thread(server.interrupt))
                await wait_until(partial(is_ready, await start(port)), timeout_seconds=START_TIMEOUT_SECONDS)
                nginx.reload()
                exit_statuses.append(await asyncio.to_thread(worker.restart))
        await live.wait_for(len(signed))

        assert exit_statuses == [0, 0, 0, 0]
        assert failures == [], "each request got its response"
        assert len(signed) > 2 * GUEST_COUNT
        assert live.join_count > 1, "the client moved to another server"
        assert sorted(live.received) == sorted(signed), "each change arrived once"
        assert await wait_for_documents(postgres) == len(signed), "each document was sealed once"
        version, is_superuser = await server_and_owner(postgres)
        # OLDEST is "embedded" on a machine that has no PostgreSQL of its own.
        assert OLDEST in (version, "embedded")
        assert not is_superuser


def settings_of(postgres: OwnPostgres, pooler_port: int, s3_port: int, nginx: Nginx) -> dict[str, str]:
    return {
        **secrets(),
        "CAIRN_AUTH__SITE_URL": nginx.url,
        "CAIRN_CONNECTIONS__DRAIN": f"PT{DRAIN_SECONDS}S",
        "CAIRN_DATABASE__URL": postgres.url("owner", "cairn", port=pooler_port),
        "CAIRN_DATABASE__DIRECT_URL": postgres.url("owner", "cairn"),
        "CAIRN_STORAGE__S3__BUCKET": "cairn",
        "CAIRN_STORAGE__S3__ENDPOINT": f"http://127.0.0.1:{s3_port}",
        "CAIRN_STORAGE__S3__ACCESS_KEY_ID": "key",
        "CAIRN_STORAGE__S3__SECRET_ACCESS_KEY": "secret",
        # All guests have the same IP address.
        "CAIRN_REST__ANONYMOUS_WRITES": "100000",
    }


class Worker:
    def __init__(self, data: Path, settings: Mapping[str, str]) -> None:
        self._command = [sys.executable, "-m", "cairn", "worker", "--data", str(data)]
        self._environment = environment(**settings)
        self._process: subprocess.Popen[bytes] | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        self._start()
        try:
            yield
        finally:
            self._stop()

    def restart(self) -> int:
        """Returns the exit status of the old process."""
        status = self._stop()
        self._start()
        return status

    def _start(self) -> None:
        self._process = subprocess.Popen(self._command, env=self._environment)

    def _stop(self) -> int:
        assert self._process is not None
        self._process.terminate()
        return self._process.wait(60)


def client_of(nginx: Nginx, keyring: Keyring) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=nginx.url, headers={"apikey": keyring.anon_key}, verify=nginx.tls(), timeout=60)


async def sign_waiver_and_check_document(client: httpx.AsyncClient, rosa: str, s3_port: int) -> str:
    """A company writes a template and sends it, a guest signs, and a worker stores the sealed PDF in S3."""
    template = {"name": "River trip", "description": "A day on the water", "content": "I, [PARTICIPANT NAME], ride."}
    returning = {"Prefer": "return=representation", **bearer(rosa)}
    response = await client.post("/rest/v1/waiver_templates", json=template, headers=returning)
    [stored_template] = response.raise_for_status().json()
    waiver = await sealed_waiver(client, rosa, stored_template["id"])
    path = f"/storage/v1/object/signed-waivers/{waiver['document_path']}"
    document = (await client.get(path, headers=bearer(rosa))).raise_for_status().content

    assert document.startswith(b"%PDF")
    assert hashlib.sha256(document).hexdigest() == waiver["document_sha256"]
    assert len(keys_in(s3_port)) == 1
    return str(waiver["id"])


@asynccontextmanager
async def guests_signing(
    client: httpx.AsyncClient, rosa: str, signed: set[str], failures: list[str]
) -> AsyncIterator[None]:
    """Until the end of this context, Rosa opens sessions, and guests read and sign them."""
    has_ended = asyncio.Event()

    async def sign_until_the_end() -> None:
        while not has_ended.is_set():
            try:
                await sign_one()
            except httpx.HTTPError as error:
                failures.append(repr(error))
            await asyncio.sleep(1)

    async def sign_one() -> None:
        row = {"id": str(uuid4()), "template_id": SAMPLE_TEMPLATE_ID}
        (await client.post("/rest/v1/waiver_sessions", json=row, headers=bearer(rosa))).raise_for_status()
        (await client.get(f"/waivers/sign/session/{row['id']}")).raise_for_status()
        waiver = waiver_row(row["id"])
        (await insert_waiver(client, waiver)).raise_for_status()
        signed.add(waiver["id"])

    async with asyncio.TaskGroup() as guests:
        for _ in range(GUEST_COUNT):
            guests.create_task(sign_until_the_end())
        try:
            yield
        finally:
            has_ended.set()


@asynccontextmanager
async def watching(root: Path, nginx: Nginx, keyring: Keyring, rosa: str) -> AsyncIterator[LiveChanges]:
    """Yields the changes that Rosa's browser receives, after it has joined its channel."""
    variables = {"NODE_EXTRA_CA_CERTS": str(nginx.certificate)}
    # With short heartbeats, the client on a slow machine would also reconnect when no server restarts.
    real = real_client(root, nginx.url, keyring.anon_key, rosa, heartbeat_ms=25_000, variables=variables)
    async with live_changes(real, START_TIMEOUT_SECONDS) as live:
        yield live


async def wait_for_documents(postgres: OwnPostgres) -> int:
    """Waits until all documents are stored, and returns how many have been sealed."""
    admin = await asyncpg.connect(postgres.url(database="cairn"))
    all_stored = "select bool_and(document_path is not null) from waivers.signed"
    await wait_until_true(admin, all_stored, timeout_seconds=240)
    count: int = await admin.fetchval("select count(*) from waivers.audit_events where name = 'document.sealed'")
    await admin.close()
    return count


async def server_and_owner(postgres: OwnPostgres) -> tuple[str, bool]:
    """Returns the major version of the server, and whether the owner of the database is a superuser."""
    admin = await asyncpg.connect(postgres.url(database="cairn"))
    row = await admin.fetchrow(
        """
        select current_setting('server_version_num')::int / 10000 as version, r.rolsuper
          from pg_database d join pg_roles r on r.oid = d.datdba where d.datname = 'cairn'
        """
    )
    await admin.close()
    assert row is not None
    return str(row["version"]), row["rolsuper"]
