"""When the server is killed while guests sign, every acknowledged signature is stored, and none is incomplete."""

import asyncio
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import httpx

from tests.factories import SAMPLE_TEMPLATE_ID, signature_data_url
from tests.serving import RunningServer, serving

SIGNER_COUNT = 40
SESSIONS_PER_SIGNER = 10


async def test_every_acknowledged_signature_survives_kill_9(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        sessions = await open_sessions(server, SIGNER_COUNT * SESSIONS_PER_SIGNER)
        acknowledged_ids = await sign_all(server, sessions, kill_after=SIGNER_COUNT)
    # Each signer has at most one request in flight when the server is killed.
    assert SIGNER_COUNT <= len(acknowledged_ids) <= 2 * SIGNER_COUNT

    with serving(tmp_path) as restarted_server:
        connection = await asyncpg.connect(restarted_server.db_url)
        stored_ids = {row["id"] for row in await connection.fetch("select id from waivers.signed")}
        # A session is signed exactly if it has a waiver and an audit event.
        inconsistent_sessions = await connection.fetch(
            """
            select s.id
              from waivers.sessions s
              left join waivers.signed w on w.session_id = s.id
              left join waivers.audit_events a on a.session_id = s.id and a.name = 'waiver.signed'
             where not ((s.status = 'signed') = (w.id is not null) and (w.id is not null) = (a.id is not null))
            """
        )
        notifications = await wait_for_notifications(connection, len(stored_ids))
        await connection.close()

    assert acknowledged_ids <= stored_ids
    assert inconsistent_sessions == []
    assert notifications == len(stored_ids), "one notification per stored signature, even for unacknowledged ones"


async def open_sessions(server: RunningServer, count: int) -> list[UUID]:
    connection = await asyncpg.connect(server.db_url)
    company_id: UUID = await connection.fetchval("insert into companies (name) values ('Rio Rafting') returning id")
    sessions = await connection.fetch(
        """
        insert into waivers.sessions (company_id, template_id, template_name, template_content, status, expires_at)
        select $1, $2, 'River trip', 'Text', 'pending', now() + interval '1 day' from generate_series(1, $3)
        returning id
        """,
        company_id, SAMPLE_TEMPLATE_ID, count,
    )  # fmt: skip
    await connection.close()
    return [session["id"] for session in sessions]


async def sign_all(server: RunningServer, sessions: list[UUID], *, kill_after: int) -> set[UUID]:
    """Signs concurrently until the server is killed after this many waivers. Returns the acknowledged waivers."""
    acknowledged_ids: set[UUID] = set()

    async def sign_sequentially(own_sessions: list[UUID]) -> None:
        for session_id in own_sessions:
            if await sign_session(client, session_id, acknowledged_ids) and len(acknowledged_ids) == kill_after:
                server.process.kill()

    headers = {"apikey": server.anon_key, "Prefer": "return=minimal"}
    limits = httpx.Limits(max_connections=SIGNER_COUNT)
    async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=20, limits=limits) as client:
        await asyncio.gather(*(sign_sequentially(sessions[number::SIGNER_COUNT]) for number in range(SIGNER_COUNT)))
    return acknowledged_ids


async def sign_session(
    client: httpx.AsyncClient, session_id: UUID, acknowledged_ids: set[UUID], signer_email: str = "gil@example.com"
) -> bool:
    waiver_id = uuid4()
    row = {
        "id": str(waiver_id),
        "session_id": str(session_id),
        "signer_name": "Gil Okafor",
        "signer_email": signer_email,
        "signature": signature_data_url(),
    }
    try:
        response = await client.post("/rest/v1/signed_waivers", json=row)
    except httpx.TransportError:
        return False
    if response.status_code == 201:
        acknowledged_ids.add(waiver_id)
    return response.status_code == 201


async def wait_for_notifications(connection: "asyncpg.Connection[asyncpg.Record]", expected_count: int) -> int:
    """Returns the number of notifications, after waiting for the expected number."""
    count = 0
    for _ in range(150):
        count = await connection.fetchval("select count(*) from notifications")
        if count >= expected_count:
            break
        await asyncio.sleep(0.1)
    return count
