"""H3, M7: heavy templates, odd PDFs and a silent mail server delay no one else's document.

H3 and M7 are findings in docs/security.md.
"""

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
    fetch_pdf,
    insert_old_template,
    save_template,
    seconds_to_a_pdf,
    sign_template,
)
from tests.abuse.honest import ATTACKER_ADDRESS, HONEST_ADDRESS, Account, client_from, honest_visits, sign_up
from tests.abuse.memory import memory_of_server_and_worker_stays_within
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
    return await sign_up(server, f"{uuid4()}@rio-rafting.example")


@pytest_asyncio.fixture
async def mallory(server: RunningServer) -> Account:
    return await sign_up(server, f"{uuid4()}@rapid-rivals.example")


async def save_honest_template(server: RunningServer, owner: Account) -> str:
    async with client_from(server, HONEST_ADDRESS, token=owner.token) as client:
        return await save_template(client, HONEST_TEXT)


# On a busy machine, the preview gets so little processor time that a heavy template looks like one that had to wait.
@pytest.mark.timing
async def test_h3_the_preview_of_a_heavy_template_says_that_it_is_too_long(
    server: RunningServer, mallory: Account
) -> None:
    heavy_template = await insert_old_template(server, mallory, HEAVY_TEXT)

    async with honest_visits(server, at_least=1), client_from(server, ATTACKER_ADDRESS, token=mallory.token) as client:
        with memory_of_server_and_worker_stays_within(server, times=2):
            response = await client.post("/functions/v1/waiver-form", json={"template_id": heavy_template}, timeout=60)

    assert (response.status_code, response.json()["code"]) == (422, "document_too_large")
    assert "Please shorten its text." in response.json()["error"]


@pytest.mark.timing
@pytest.mark.accept("SAFE-12")
async def test_m7_odd_pdfs_do_not_delay_an_honest_verification(server: RunningServer, rosa: Account) -> None:
    pdf = await honest_pdf(server, rosa)
    # The first verification is slower than the others.
    await seconds_to_verify(server, pdf)
    calm = statistics.median([await seconds_to_verify(server, pdf) for _ in range(7)])

    async with odd_pdfs(server, 45) as statuses:
        attacked = statistics.median([await seconds_to_verify(server, pdf) for _ in range(7)])

    assert attacked <= 3 * calm, f"{calm:.2f} s when calm, {attacked:.2f} s during the attack"
    assert set(statuses) <= {200, 429, 503}
    assert 503 in statuses, "the queue of one network is short"


async def honest_pdf(server: RunningServer, company: Account) -> bytes:
    waiver_id = await sign_template(server, await save_honest_template(server, company), HONEST_ADDRESS)
    async with client_from(server, HONEST_ADDRESS, token=company.token) as client:
        return (await fetch_pdf(client, waiver_id)).content


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
    """Uploads this many PDFs at once. The list contains their statuses after the `with` block has ended."""
    statuses: list[int] = []
    async with client_from(server, ATTACKER_ADDRESS) as client:
        tasks = [asyncio.create_task(verify(client, ODD_PDF)) for _ in range(count)]
        await asyncio.sleep(0.5)
        yield statuses
        statuses += [response.status_code for response in await asyncio.gather(*tasks)]


async def test_m7_one_network_verifies_at_most_sixty_documents_a_minute(server: RunningServer) -> None:
    address = "127.0.0.7"
    async with client_from(server, address) as client:
        first_responses = [await verify(client, b"%PDF-1.7 nothing") for _ in range(3)]
        responses = await asyncio.gather(*(verify(client, b"%PDF-1.7 nothing") for _ in range(70)))

    assert [response.json()["state"] for response in first_responses] == ["unreadable"] * 3
    refused = [response for response in responses if response.status_code == 429]
    assert refused
    assert refused[0].json()["code"] == "too_many_documents"
    assert int(refused[0].headers["retry-after"]) >= 1


@pytest.mark.timing
async def test_m7_emails_on_a_silent_mail_server_do_not_delay_a_document(tmp_path: Path) -> None:
    async with silent_mail_server() as smtp, serving_in_thread(tmp_path, settings=smtp_environment(smtp)) as server:
        company = await sign_up(server, "rosa@rio-rafting.example")
        template_id = await save_honest_template(server, company)
        # The first document is slower than the others.
        await seconds_to_a_pdf(server, company, template_id)
        calm = await median_seconds_to_a_pdf(server, company, template_id)
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

        attacked = await median_seconds_to_a_pdf(server, company, template_id)

    assert attacked <= 3 * calm, f"{calm:.2f} s when calm, {attacked:.2f} s while 30 emails wait"


async def median_seconds_to_a_pdf(server: RunningServer, company: Account, template_id: str) -> float:
    return statistics.median([await seconds_to_a_pdf(server, company, template_id) for _ in range(3)])


@asynccontextmanager
async def silent_mail_server() -> AsyncIterator[SmtpSettings]:
    """Accepts connections and never sends anything."""

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    try:
        yield SmtpSettings(host="127.0.0.1", port=server.sockets[0].getsockname()[1], security="none")
    finally:
        server.close()
