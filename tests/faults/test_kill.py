"""Killed in the middle of signing: whatever was answered with success is stored, and nothing is half stored."""

import asyncio
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import httpx

from tests.make import SAMPLE, signature
from tests.serving import Served, serving

SIGNERS = 80


async def test_kill_9_in_the_middle_of_many_signings(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        sessions = await open_sessions(served, SIGNERS)
        signing = asyncio.create_task(sign_all(served, sessions))
        await until_some_are_signed(served)
        served.kill()
        acknowledged = await signing
    assert 0 < len(acknowledged) < SIGNERS, "the server was killed in the middle"

    with serving(tmp_path) as again:
        connection = await asyncpg.connect(again.db_url)
        stored = {row["id"] for row in await connection.fetch("select id from waivers.signed")}
        halves = await connection.fetch(
            """
            select s.id
              from waivers.sessions s
              left join waivers.signed w on w.session_id = s.id
              left join waivers.audit_events a on a.session_id = s.id and a.name = 'waiver.signed'
             where not ((s.status = 'signed') = (w.id is not null) and (w.id is not null) = (a.id is not null))
            """
        )
        told = await wait_for_notifications(connection, len(stored))
        await connection.close()

    assert acknowledged <= stored
    assert halves == []
    assert told == len(stored), "every stored signature is told once, also those nobody was answered about"


async def open_sessions(served: Served, count: int) -> list[UUID]:
    connection = await asyncpg.connect(served.db_url)
    company: UUID = await connection.fetchval("insert into companies (name) values ('Rio Rafting') returning id")
    sessions = await connection.fetch(
        """
        insert into waivers.sessions (company_id, template_id, template_name, template_content, status, expires_at)
        select $1, $2, 'River trip', 'Words', 'pending', now() + interval '1 day' from generate_series(1, $3)
        returning id
        """,
        company, SAMPLE, count,
    )  # fmt: skip
    await connection.close()
    return [session["id"] for session in sessions]


async def sign_all(served: Served, sessions: list[UUID]) -> set[UUID]:
    """At once, as on a busy morning; returns the ids that were answered with success."""
    headers = {"apikey": served.anon_key, "Prefer": "return=minimal"}
    async with httpx.AsyncClient(base_url=served.url, headers=headers, timeout=20) as client:
        answers = await asyncio.gather(*(sign_one(client, session) for session in sessions))
    return {waiver_id for waiver_id in answers if waiver_id is not None}


async def sign_one(client: httpx.AsyncClient, session_id: UUID) -> UUID | None:
    waiver_id = uuid4()
    row = {
        "id": str(waiver_id),
        "session_id": str(session_id),
        "signer_name": "Gil Okafor",
        "signer_email": "gil@example.com",
        # As large as a real drawing, so that there is a middle to be killed in.
        "signature": signature() + "A" * 20_000,
    }
    try:
        answer = await client.post("/rest/v1/signed_waivers", json=row)
    except httpx.TransportError:
        return None
    return waiver_id if answer.status_code == 201 else None


async def until_some_are_signed(served: Served) -> None:
    connection = await asyncpg.connect(served.db_url)
    while await connection.fetchval("select count(*) from waivers.signed") < SIGNERS // 8:
        pass
    await connection.close()


async def wait_for_notifications(connection: "asyncpg.Connection[asyncpg.Record]", expected: int) -> int:
    count = 0
    for _ in range(150):
        count = await connection.fetchval("select count(*) from notifications")
        if count >= expected:
            break
        await asyncio.sleep(0.1)
    return count
