"""An honest company that signs and waits for the PDF while the service is attacked."""

import asyncio
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import asyncpg
import httpx

from tests.abuse.honest import ATTACKER_ADDRESS, HONEST_ADDRESS, Account, client_from
from tests.abuse.memory import process_memory_stays_within
from tests.abuse.processes import worker_pid
from tests.factories import signature_data_url
from tests.serving import RunningServer

HEAVY_TEXT = "- a\n" * 50_000
# As many lines as a template may have.
HEAVIEST_ALLOWED_TEXT = "- a\n" * 2000
_LAST_DOCUMENT_SECONDS = 300.0


async def sign_up_company(server: RunningServer, email: str, company: str) -> Account:
    data = {"name": "Rosa", "account_type": "company", "company_name": company}
    async with client_from(server, HONEST_ADDRESS) as client:
        account = {"email": email, "password": "seven rivers and a lake", "data": data}
        response = (await client.post("/auth/v1/signup", json=account)).raise_for_status()
        return Account(response.json()["access_token"], response.json()["user"]["id"])


async def insert_old_template(server: RunningServer, owner: Account, content: str) -> str:
    """Inserts a template as if it had been saved before there was a limit. Only the owner of the database can."""
    connection = await asyncpg.connect(server.db_url)
    try:
        async with connection.transaction():
            await connection.execute("alter table waiver_templates disable trigger check_template")
            template_id: str = await connection.fetchval(
                """
                insert into waiver_templates (name, content, company_id)
                select 'Old', $1, company_id from profiles where id = $2 returning id
                """,
                content, owner.user_id,
            )  # fmt: skip
            await connection.execute("alter table waiver_templates enable trigger check_template")
    finally:
        await connection.close()
    return template_id


async def save_template(client: httpx.AsyncClient, content: str) -> httpx.Response:
    template = {"name": "River trip", "description": "", "content": content}
    return await client.post("/rest/v1/waiver_templates", json=template, headers={"Prefer": "return=representation"})


async def sign_template(server: RunningServer, template_id: str, address: str = ATTACKER_ADDRESS) -> str:
    """Signs as an anonymous guest, and returns the id of the waiver."""
    session_id, waiver_id = str(uuid4()), str(uuid4())
    async with client_from(server, address) as client:
        session = {"id": session_id, "template_id": template_id}
        (await client.post("/rest/v1/waiver_sessions", json=session)).raise_for_status()
        waiver = {
            "id": waiver_id,
            "session_id": session_id,
            "signer_name": "Gil",
            "signer_email": "gil@example.com",
            "signature": signature_data_url(),
        }
        minimal = {"Prefer": "return=minimal"}
        (await client.post("/rest/v1/signed_waivers", json=waiver, headers=minimal)).raise_for_status()
    return waiver_id


async def final_statuses(server: RunningServer, owner: Account, waiver_ids: list[str]) -> list[str]:
    """Waits until no document of these waivers is being prepared any more. No waiver may be missing."""
    query = f"/rest/v1/signed_waivers?select=document_status&limit=500&id=in.({','.join(waiver_ids)})"
    async with (
        client_from(server, HONEST_ADDRESS, token=owner.token) as client,
        asyncio.timeout(_LAST_DOCUMENT_SECONDS),
    ):
        while True:
            rows = (await client.get(query)).raise_for_status().json()
            assert len(rows) == len(waiver_ids)
            statuses = [row["document_status"] for row in rows]
            if "preparing" not in statuses:
                return statuses
            await asyncio.sleep(0.5)


async def seconds_to_a_pdf(server: RunningServer, company: Account, template_id: str) -> float:
    """Returns the time from the signature of a guest until the company has the sealed PDF."""
    started_at = time.monotonic()
    waiver_id = await sign_template(server, template_id, HONEST_ADDRESS)
    async with client_from(server, HONEST_ADDRESS, token=company.token) as client:
        while True:
            response = await client.post("/functions/v1/waiver-document", json={"waiver_id": waiver_id})
            if response.status_code != 202:
                break
    assert response.content.startswith(b"%PDF-"), response.text
    return time.monotonic() - started_at


async def median_seconds_to_a_pdf(server: RunningServer, company: Account, template_id: str, count: int = 5) -> float:
    return statistics.median([await seconds_to_a_pdf(server, company, template_id) for _ in range(count)])


@contextmanager
def memory_of_all_stays_within(server: RunningServer, times: float) -> Iterator[None]:
    with (
        process_memory_stays_within(server.process.pid, times),
        process_memory_stays_within(worker_pid(server), times),
    ):
        yield
