"""H3, M7: heavy templates, odd PDFs and a silent mail server delay no one else's document."""

import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import asyncpg
import httpx
import pytest
import pytest_asyncio

from cairn.messaging import SmtpSettings
from tests.abuse.documents import (
    HEAVY_TEXT,
    insert_old_template,
    median_seconds_to_a_pdf,
    memory_of_all_stays_within,
    save_template,
    seconds_to_a_pdf,
    sign_template,
    sign_up_company,
)
from tests.abuse.honest import ATTACKER_ADDRESS, HONEST_ADDRESS, Account, client_from, honest_visits
from tests.serving import RunningServer, serving, serving_in_thread, smtp_environment

HONEST_TEXT = "# River trip\n\nI, [PARTICIPANT NAME], ride with [COMPANY NAME].\n"
# A PDF whose page tree is nested far too deeply, which keeps a parser busy.
ODD_PDF = b"%PDF-1.7\n" + b"".join(
    b"%d 0 obj\n<< /Type /Pages /Kids [ %d 0 R ] /Count 1 >>\nendobj\n" % (number, number + 1)
    for number in range(1, 60_000)
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with serving(Path(tmp_path_factory.mktemp("rendering"))) as running:
        yield running


@pytest_asyncio.fixture
async def rosa(server: RunningServer) -> Account:
    return await sign_up_company(server, f"{uuid4()}@rio-rafting.example", "Rio Rafting")


@pytest_asyncio.fixture
async def mallory(server: RunningServer) -> Account:
    return await sign_up_company(server, f"{uuid4()}@rapid-rivals.example", "Rapid Rivals")


async def template_of(server: RunningServer, owner: Account, content: str = HONEST_TEXT) -> str:
    async with client_from(server, HONEST_ADDRESS, token=owner.token) as client:
        response = (await save_template(client, content)).raise_for_status()
        template_id: str = response.json()[0]["id"]
        return template_id


async def test_h3_the_preview_of_a_heavy_template_says_that_it_is_too_long(
    server: RunningServer, mallory: Account
) -> None:
    heavy_template = await insert_old_template(server, mallory, HEAVY_TEXT)

    async with honest_visits(server, at_least=1), client_from(server, ATTACKER_ADDRESS, token=mallory.token) as client:
        with memory_of_all_stays_within(server, times=2):
            response = await client.post("/functions/v1/waiver-form", json={"template_id": heavy_template}, timeout=60)

    assert (response.status_code, response.json()["code"]) == (422, "document_too_large")
    assert "Please shorten its text." in response.json()["error"]


async def test_m7_odd_pdfs_do_not_delay_an_honest_verification(server: RunningServer, rosa: Account) -> None:
    pdf = await honest_pdf(server, rosa)
    calm = statistics.median([await seconds_to_verify(server, pdf) for _ in range(4)][1:])

    async with odd_pdfs(server, 45) as statuses:
        attacked = statistics.median([await seconds_to_verify(server, pdf) for _ in range(3)])

    assert attacked <= 3 * calm, f"{calm:.2f} s when calm, {attacked:.2f} s during the attack"
    assert set(statuses) <= {200, 429, 503}
    assert 503 in statuses, "the queue of one network is short"


async def honest_pdf(server: RunningServer, company: Account) -> bytes:
    waiver_id = await sign_template(server, await template_of(server, company), HONEST_ADDRESS)
    async with client_from(server, HONEST_ADDRESS, token=company.token) as client:
        while (
            document := await client.post("/functions/v1/waiver-document", json={"waiver_id": waiver_id})
        ).status_code == 202:
            pass
    return document.content


async def seconds_to_verify(server: RunningServer, pdf: bytes) -> float:
    started_at = time.monotonic()
    async with client_from(server, HONEST_ADDRESS) as client:
        response = await verify(client, pdf)
    assert response.json()["state"] == "unchanged", response.text
    return time.monotonic() - started_at


async def verify(client: httpx.AsyncClient, pdf: bytes) -> httpx.Response:
    return await client.post(
        "/functions/v1/verify-document", content=pdf, headers={"Content-Type": "application/pdf"}, timeout=60
    )


@asynccontextmanager
async def odd_pdfs(server: RunningServer, count: int) -> AsyncIterator[list[int]]:
    """Uploads this many PDFs at once. The list contains the statuses when the block has ended."""
    statuses: list[int] = []
    async with client_from(server, ATTACKER_ADDRESS) as client:
        tasks = [asyncio.create_task(verify(client, ODD_PDF)) for _ in range(count)]
        await asyncio.sleep(0.5)
        yield statuses
        statuses += [response.status_code for response in await asyncio.gather(*tasks)]


async def test_m7_one_network_reads_at_most_sixty_documents_a_minute(server: RunningServer) -> None:
    address = "127.0.0.7"
    async with client_from(server, address) as client:
        responses = [await verify(client, b"%PDF-1.7 nothing") for _ in range(3)]
        rest = await asyncio.gather(*(verify(client, b"%PDF-1.7 nothing") for _ in range(70)))

    assert [response.json()["state"] for response in responses] == ["unreadable"] * 3
    [*refused] = [response for response in rest if response.status_code == 429]
    assert refused
    assert refused[0].json()["code"] == "too_many_documents"
    assert int(refused[0].headers["retry-after"]) >= 1


async def test_m7_emails_on_a_silent_mail_server_do_not_delay_a_document(tmp_path: Path) -> None:
    async with silent_mail_server() as smtp, serving_in_thread(tmp_path, settings=smtp_environment(smtp)) as server:
        company = await sign_up_company(server, "rosa@rio-rafting.example", "Rio Rafting")
        template_id = await template_of(server, company)
        await seconds_to_a_pdf(server, company, template_id)
        calm = await median_seconds_to_a_pdf(server, company, template_id, 3)
        connection = await asyncpg.connect(server.db_url)
        await connection.execute(
            """
            insert into emails (company_id, recipient, subject, body)
            select company_id, 'gil@example.com', 'Please sign', 'Here.'
              from profiles cross join generate_series(1, 30) where id = $1
            """,
            company.user_id,
        )
        await connection.close()
        await asyncio.sleep(1)

        attacked = await median_seconds_to_a_pdf(server, company, template_id, 3)

    assert attacked <= 3 * calm, f"{calm:.2f} s when calm, {attacked:.2f} s while 30 emails wait"


@asynccontextmanager
async def silent_mail_server() -> AsyncIterator[SmtpSettings]:
    """Accepts connections and never says a word."""

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    try:
        yield SmtpSettings(host="127.0.0.1", port=server.sockets[0].getsockname()[1], security="none")
    finally:
        server.close()
