"""Templates, signatures and documents of companies that attack the service, or that use it during an attack."""

import asyncio
import time

import asyncpg
import httpx

from tests.abuse.honest import (
    ATTACKER_ADDRESS,
    HONEST_ADDRESS,
    Account,
    client_from,
    insert_waiver,
    open_session,
    waiver_row,
)
from tests.serving import RunningServer

HEAVY_TEXT = "- a\n" * 50_000
# As many lines as a template may have.
HEAVIEST_ALLOWED_TEXT = "- a\n" * 2000
_LAST_DOCUMENT_TIMEOUT_SECONDS = 300.0


async def insert_old_template(server: RunningServer, owner: Account, content: str) -> str:
    """Inserts, as the owner of the database, a template with a text of any length, as old versions of Cairn allowed."""
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


async def save_template(company: httpx.AsyncClient, content: str) -> str:
    """Saves a template of the company, and returns its id."""
    template = {"name": "River trip", "description": "", "content": content}
    headers = {"Prefer": "return=representation"}
    response = await company.post("/rest/v1/waiver_templates", json=template, headers=headers)
    template_id: str = response.raise_for_status().json()[0]["id"]
    return template_id


async def sign_template(server: RunningServer, template_id: str, address: str = ATTACKER_ADDRESS) -> str:
    """Signs as an anonymous guest, and returns the id of the waiver."""
    async with client_from(server, address) as client:
        waiver = waiver_row(await open_session(client, template_id))
        (await insert_waiver(client, waiver)).raise_for_status()
    return waiver["id"]


async def final_statuses(server: RunningServer, owner: Account, waiver_ids: list[str]) -> list[str]:
    """Waits until no document of these waivers is being prepared, and returns the status of each document."""
    query = f"/rest/v1/signed_waivers?select=document_status&limit=500&id=in.({','.join(waiver_ids)})"
    async with (
        client_from(server, HONEST_ADDRESS, token=owner.token) as client,
        asyncio.timeout(_LAST_DOCUMENT_TIMEOUT_SECONDS),
    ):
        while True:
            rows = (await client.get(query)).raise_for_status().json()
            assert len(rows) == len(waiver_ids)
            statuses = [row["document_status"] for row in rows]
            if "preparing" not in statuses:
                return statuses
            await asyncio.sleep(0.5)


async def fetch_pdf(company: httpx.AsyncClient, waiver_id: str) -> httpx.Response:
    """Requests the sealed PDF until it is ready. The server waits a few seconds before it responds with 202."""
    while True:
        response = await company.post("/functions/v1/waiver-document", json={"waiver_id": waiver_id})
        if response.status_code != 202:
            assert response.content.startswith(b"%PDF-"), response.text
            return response


async def seconds_to_a_pdf(server: RunningServer, company: Account, template_id: str) -> float:
    """Returns the time from the signature of a guest until the company has the sealed PDF."""
    started_at = time.monotonic()
    waiver_id = await sign_template(server, template_id, HONEST_ADDRESS)
    async with client_from(server, HONEST_ADDRESS, token=company.token) as client:
        await fetch_pdf(client, waiver_id)
    return time.monotonic() - started_at
