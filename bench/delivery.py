"""Wall time from sending a waiver to its sealed document, and documents a second on one core."""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import asyncpg
import httpx

from bench.row import Row
from bench.server import Server, running
from bench.sign import OPEN_SESSIONS, signature
from tests.mail_server import running_mail_server
from tests.serving import smtp_environment

TIMES = 15
WARM_UP = 3
BACKLOG = 300
SIGN_ALL = """
insert into signed_waivers (session_id, signer_name, signer_email, signature)
select id, 'Gil Okafor', 'gil@example.com', $1 from waivers.sessions where status = 'pending'
"""
SEALED = "select count(*) from waivers.signed where document_path is not null"


async def measure() -> list[Row]:
    return [await _send_to_document(), await _one_core()]


async def _send_to_document() -> Row:
    async with running_mail_server() as mail_server:
        with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder:
            opened = running(Path(folder), smtp_environment(mail_server.settings))
            server = await asyncio.to_thread(opened.__enter__)
            try:
                times = await _delivery_times(server)
            finally:
                await asyncio.to_thread(opened.__exit__, None, None, None)
    wall = statistics.median(times[WARM_UP:])
    slowest = max(times[WARM_UP:])
    details = f"median of {TIMES - WARM_UP}, slowest {slowest:.2f} s; mail received by a local SMTP server"
    return Row("send, sign, sealed PDF", wall, 0.3, "s", details, less_is_better=True)


async def _delivery_times(server: Server) -> list[float]:
    token, _ = await asyncio.to_thread(server.company)
    picture = signature()
    async with httpx.AsyncClient(base_url=server.url, headers=server.headers(token), timeout=20) as client:
        return [await _deliver(client, server, picture) for _ in range(TIMES)]


async def _deliver(client: httpx.AsyncClient, server: Server, picture: str) -> float:
    session, waiver = str(uuid4()), str(uuid4())
    session_row = {"id": session, "template_id": "template-general-liability", "recipient_email": "gil@example.com"}
    mail = {"to": "gil@example.com", "subject": "Please sign", "body": "Here.", "sessionId": session}
    signed = {"id": waiver, "session_id": session, "signer_name": "Gil", "signer_email": "gil@example.com"}
    guest = server.headers()
    began = time.monotonic()
    (await client.post("/rest/v1/waiver_sessions", json=session_row)).raise_for_status()
    (await client.post("/functions/v1/send-email", json=mail)).raise_for_status()
    stored = await client.post("/rest/v1/signed_waivers", json={**signed, "signature": picture}, headers=guest)
    stored.raise_for_status()
    document = await client.post("/functions/v1/waiver-document", json={"waiver_id": waiver}, headers=guest)
    wall = time.monotonic() - began
    assert document.content.startswith(b"%PDF-"), "the service waits until the document is ready"
    return wall


async def _one_core() -> Row:
    """Starts a worker on one core when many signed waivers are waiting for their documents."""
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder, running(Path(folder), worker=False) as server:
        _, company = await asyncio.to_thread(server.company)
        connection = await asyncpg.connect(server.db_url)
        await connection.fetch(OPEN_SESSIONS, company, BACKLOG)
        await connection.execute(SIGN_ALL, signature())
        with _worker_on_one_core(Path(folder)):
            first = await _wait_for_documents(connection, WARM_UP)
            wall = await _wait_for_documents(connection, BACKLOG) - first
        await connection.close()
    rate = (BACKLOG - WARM_UP) / wall
    return Row("documents by a worker on one core", rate, 10, "a second", f"{BACKLOG} waiting, each also emailed")


@contextmanager
def _worker_on_one_core(data: Path) -> Iterator[None]:
    worker = subprocess.Popen(
        [sys.executable, "-m", "cairn", "worker", "--data", str(data)],
        stderr=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, {0}),  # noqa: PLW1509 - no threads yet
    )  # fmt: skip
    try:
        yield
    finally:
        worker.terminate()
        worker.wait()


async def _wait_for_documents(connection: "asyncpg.Connection[asyncpg.Record]", count: int) -> float:
    """Returns the time at which this many documents are sealed."""
    async with asyncio.timeout(300):
        while await connection.fetchval(SEALED) < count:  # noqa: ASYNC110 - only the database knows
            await asyncio.sleep(0.05)
    return time.monotonic()
