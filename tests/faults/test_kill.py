"""A server killed while guests sign: every acknowledged signature is stored, and none is stored by half."""

import asyncio
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import httpx

from tests.factories import SAMPLE_TEMPLATE_ID, signature_data_url
from tests.serving import RunningServer, serving

SIGNERS = 40
EACH = 10


async def test_kill_9_while_many_guests_sign(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        sessions = await open_sessions(server, SIGNERS * EACH)
        acknowledged = await sign_all(server, sessions, kill_after=SIGNERS)
    # Each signer has at most one request in flight, so not all can have been answered by then.
    assert SIGNERS <= len(acknowledged) <= 2 * SIGNERS

    with serving(tmp_path) as again:
        connection = await asyncpg.connect(again.db_url)
        stored = {row["id"] for row in await connection.fetch("select id from waivers.signed")}
        inconsistent = await connection.fetch(
            """
            select s.id
              from waivers.sessions s
              left join waivers.signed w on w.session_id = s.id
              left join waivers.audit_events a on a.session_id = s.id and a.name = 'waiver.signed'
             where not ((s.status = 'signed') = (w.id is not null) and (w.id is not null) = (a.id is not null))
            """
        )
        notifications = await wait_for_notifications(connection, len(stored))
        await connection.close()

    assert acknowledged <= stored
    assert inconsistent == []
    assert notifications == len(stored), "one notification per stored signature, also for unacknowledged ones"


async def open_sessions(server: RunningServer, count: int) -> list[UUID]:
    connection = await asyncpg.connect(server.db_url)
    company: UUID = await connection.fetchval("insert into companies (name) values ('Rio Rafting') returning id")
    sessions = await connection.fetch(
        """
        insert into waivers.sessions (company_id, template_id, template_name, template_content, status, expires_at)
        select $1, $2, 'River trip', 'Text', 'pending', now() + interval '1 day' from generate_series(1, $3)
        returning id
        """,
        company, SAMPLE_TEMPLATE_ID, count,
    )  # fmt: skip
    await connection.close()
    return [session["id"] for session in sessions]


async def sign_all(server: RunningServer, sessions: list[UUID], *, kill_after: int) -> set[UUID]:
    """Signs concurrently and returns the ids of the acknowledged waivers."""
    acknowledged: set[UUID] = set()

    async def signer(own_sessions: list[UUID]) -> None:
        for session_id in own_sessions:
            if await sign_one(client, session_id, acknowledged) and len(acknowledged) == kill_after:
                server.process.kill()

    headers = {"apikey": server.anon_key, "Prefer": "return=minimal"}
    limits = httpx.Limits(max_connections=SIGNERS)
    async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=20, limits=limits) as client:
        await asyncio.gather(*(signer(sessions[number::SIGNERS]) for number in range(SIGNERS)))
    return acknowledged


async def sign_one(client: httpx.AsyncClient, session_id: UUID, acknowledged: set[UUID]) -> bool:
    waiver_id = uuid4()
    row = {
        "id": str(waiver_id),
        "session_id": str(session_id),
        "signer_name": "Gil Okafor",
        "signer_email": "gil@example.com",
        "signature": signature_data_url(),
    }
    try:
        response = await client.post("/rest/v1/signed_waivers", json=row)
    except httpx.TransportError:
        return False
    if response.status_code == 201:
        acknowledged.add(waiver_id)
    return response.status_code == 201


async def wait_for_notifications(connection: "asyncpg.Connection[asyncpg.Record]", expected: int) -> int:
    count = 0
    for _ in range(150):
        count = await connection.fetchval("select count(*) from notifications")
        if count >= expected:
            break
        await asyncio.sleep(0.1)
    return count
