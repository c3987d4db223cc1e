"""A backup is made while guests sign 200 waivers, and restored into a new cluster, where nothing is sent twice."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import httpx
import pytest

from cairn.backup import PASSPHRASE_VARIABLE
from cairn.kit import default_ssl_context
from tests.abuse.honest import insert_waiver, waiver_row
from tests.factories import SAMPLE_TEMPLATE_ID
from tests.faults.live_changes import LiveChanges, live_changes
from tests.faults.scene import Scene, fault_scene
from tests.realtime.test_real_client import real_client
from tests.serving import RunningServer, run_cairn, serving_in_thread
from tests.waiting import wait_until_true
from tests.waivers.documents.test_storing import bearer, sign_up

WAIVER_COUNT, GUEST_COUNT = 200, 4
SIGNED_BEFORE_BACKUP = 40
WAIT_SECONDS = 240
# After this, the transaction counter of the old cluster is far ahead of that of a new one.
USE_UP_TRANSACTIONS = "do $$ begin for i in 1..200000 loop perform pg_current_xact_id(); commit; end loop; end $$"
NOTHING_WAITS = """
select not exists (select from waivers.signed where document_path is null)
   and not exists (select from emails where status = 'sending')
   and (select count(*) from notifications) = (select count(*) from waivers.signed)
"""


@pytest.mark.faults
@pytest.mark.timeout(1200)
async def test_a_backup_under_load_is_restored_into_a_cluster_that_is_behind(tmp_path: Path, root: Path) -> None:
    settings = {PASSPHRASE_VARIABLE: "a long passphrase for the tests", "CAIRN_REST__ANONYMOUS_WRITES": "100000"}
    async with fault_scene(tmp_path / "old", settings) as scene:
        async with client_of(scene.server) as client:
            rosa = await sign_up(client, "rosa@rio-rafting.example")
            signed = await sign_during_backup(scene, client, rosa, tmp_path / "backup")
        old_transaction = await last_transaction(scene.server)
        await scene.stop_server()
        run = await asyncio.to_thread(
            run_cairn, "restore", tmp_path / "backup", "--data", tmp_path / "new", **scene.settings
        )
        assert run.returncode == 0, run.stderr

        delivered = await recipients_of_delivered_emails(tmp_path / "new", scene.settings)
        received_before = Counter(str(email["To"]) for email in scene.mail_server.emails)
        async with serving_in_thread(tmp_path / "new", settings=scene.settings) as server:
            assert await last_transaction(server) + 100_000 < old_transaction
            async with client_of(server) as client, watching(root, server, rosa) as live:
                new_id = await sign_one(client, rosa, "new@guests.example")
                await live.wait_for(1)
                await wait_until_done(server)
            verification = await asyncio.to_thread(run_cairn, "verify", "--data", tmp_path / "new", **scene.settings)
            restored = await signed_waivers(server)

    assert verification.returncode == 0, verification.stdout
    assert "Nothing is wrong" in verification.stdout
    assert SIGNED_BEFORE_BACKUP <= len(restored) <= WAIVER_COUNT + 1
    assert restored - {new_id} <= signed
    assert live.received == [new_id], "the new signature is live, and no old one"
    received = Counter(str(email["To"]) for email in scene.mail_server.emails)
    assert received["new@guests.example"] == 1
    assert delivered, "some emails were delivered before the backup"
    assert {address: received[address] for address in delivered} == dict.fromkeys(delivered, 1)
    assert all(received_before[address] == 1 for address in delivered)


async def sign_during_backup(scene: Scene, client: httpx.AsyncClient, rosa: str, folder: Path) -> set[str]:
    """Returns all waivers that guests have signed. The backup begins and ends while they sign."""
    signed: set[str] = set()

    async def sign_many(guest: int) -> None:
        for number in range(WAIVER_COUNT // GUEST_COUNT):
            signed.add(await sign_one(client, rosa, f"{guest}-{number}@guests.example"))

    guests = [asyncio.create_task(sign_many(guest)) for guest in range(GUEST_COUNT)]
    async with asyncio.timeout(WAIT_SECONDS):
        while len(signed) < SIGNED_BEFORE_BACKUP or not scene.mail_server.emails:  # noqa: ASYNC110 - the guests add to the set
            await asyncio.sleep(0.05)
    await execute(scene.server, USE_UP_TRANSACTIONS)
    backup = await asyncio.to_thread(run_cairn, "backup", folder, "--data", scene.data, **scene.settings)
    await asyncio.gather(*guests)
    assert backup.returncode == 0, backup.stderr
    assert len(signed) == WAIVER_COUNT
    return signed


async def sign_one(client: httpx.AsyncClient, rosa: str, email: str) -> str:
    session = await client.post(
        "/rest/v1/waiver_sessions?select=id",
        json={"template_id": SAMPLE_TEMPLATE_ID, "recipient_email": email},
        headers={**bearer(rosa), "Prefer": "return=representation"},
    )
    waiver = waiver_row(session.raise_for_status().json()[0]["id"], email=email)
    (await insert_waiver(client, waiver)).raise_for_status()
    return waiver["id"]


def client_of(server: RunningServer) -> httpx.AsyncClient:
    headers = {"apikey": server.anon_key}
    return httpx.AsyncClient(base_url=server.url, headers=headers, timeout=60, verify=default_ssl_context())


@asynccontextmanager
async def watching(root: Path, server: RunningServer, rosa: str) -> AsyncIterator[LiveChanges]:
    real = real_client(root, server.url, server.anon_key, rosa, heartbeat_ms=25_000)
    async with live_changes(real, WAIT_SECONDS) as live:
        yield live


async def recipients_of_delivered_emails(data: Path, settings: Mapping[str, str]) -> set[str]:
    """Returns the guests to whom emails were delivered before the backup. No worker runs meanwhile."""
    async with serving_in_thread(data, settings=settings, worker=False) as server:
        connection = await asyncpg.connect(server.db_url)
        rows = await connection.fetch(
            "select recipient from emails where status = 'delivered' and recipient like '%@guests.example'"
        )
        await connection.close()
    return {row["recipient"] for row in rows}


async def wait_until_done(server: RunningServer) -> None:
    connection = await asyncpg.connect(server.db_url)
    await wait_until_true(connection, NOTHING_WAITS, timeout_seconds=WAIT_SECONDS)
    await connection.close()


async def signed_waivers(server: RunningServer) -> set[str]:
    connection = await asyncpg.connect(server.db_url)
    rows = await connection.fetch("select id::text from waivers.signed")
    await connection.close()
    return {row["id"] for row in rows}


async def last_transaction(server: RunningServer) -> int:
    connection = await asyncpg.connect(server.db_url)
    number: int = await connection.fetchval("select pg_current_xact_id()::text::bigint")
    await connection.close()
    return number


async def execute(server: RunningServer, statement: str) -> None:
    connection = await asyncpg.connect(server.db_url)
    await connection.execute(statement)
    await connection.close()
