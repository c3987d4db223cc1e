"""Measures the time from sending a waiver to its sealed document, and how many documents one core can prepare."""

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

from bench import cpu
from bench.row import Row
from bench.server import Server, running_server
from bench.sign import INSERT_SESSIONS_TO_SIGN, random_signature
from tests.mail_server import running_mail_server
from tests.serving import smtp_environment

RUN_COUNT = 15
WARM_UP_COUNT = 3
BACKLOG_COUNT = 300
# The first documents are not counted, because starting the rendering processes takes as long as many documents.
WORKER_WARM_UP_COUNT = 50
SIGN_ALL = """
insert into signed_waivers (session_id, signer_name, signer_email, signature)
select id, 'Gil Okafor', 'gil@example.com', $1 from waivers.sessions where status = 'pending'
"""
COUNT_SEALED = "select count(*) from waivers.signed where document_path is not null"


async def measure() -> list[Row]:
    return [await _measure_send_to_document(), *await _measure_worker_on_one_core()]


async def _measure_send_to_document() -> Row:
    async with running_mail_server() as mail_server:
        with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder:
            server_context = running_server(Path(folder), smtp_environment(mail_server.settings))
            server = await asyncio.to_thread(server_context.__enter__)
            try:
                times = await _send_to_document_times(server)
            finally:
                await asyncio.to_thread(server_context.__exit__, None, None, None)
    seconds = statistics.median(times[WARM_UP_COUNT:])
    slowest = max(times[WARM_UP_COUNT:])
    details = f"median of {RUN_COUNT - WARM_UP_COUNT}, slowest {slowest:.2f} s; mail received by a local SMTP server"
    return Row("send, sign, sealed PDF", seconds, goal=0.3, unit="s", details=details, less_is_better=True)


async def _send_to_document_times(server: Server) -> list[float]:
    token, _ = await asyncio.to_thread(server.sign_up_company)
    image = random_signature()
    async with httpx.AsyncClient(base_url=server.url, headers=server.headers(token), timeout=20) as client:
        return [await _send_and_sign(client, server, image) for _ in range(RUN_COUNT)]


async def _send_and_sign(client: httpx.AsyncClient, server: Server, image: str) -> float:
    session_id, waiver_id = str(uuid4()), str(uuid4())
    session_row = {"id": session_id, "template_id": "template-general-liability", "recipient_email": "gil@example.com"}
    email = {"to": "gil@example.com", "subject": "Please sign", "body": "Here.", "sessionId": session_id}
    secret = str(uuid4())
    waiver_row = {
        "id": waiver_id, "session_id": session_id, "signer_name": "Gil", "signer_email": "gil@example.com",
        "signature": image, "document_secret": secret,
    }  # fmt: skip
    guest_headers = server.headers()
    started_at = time.monotonic()
    (await client.post("/rest/v1/waiver_sessions", json=session_row)).raise_for_status()
    (await client.post("/functions/v1/send-email", json=email)).raise_for_status()
    (await client.post("/rest/v1/signed_waivers", json=waiver_row, headers=guest_headers)).raise_for_status()
    request = {"waiver_id": waiver_id, "secret": secret}
    document = await client.post("/functions/v1/waiver-document", json=request, headers=guest_headers)
    seconds = time.monotonic() - started_at
    assert document.content.startswith(b"%PDF-"), "the service waits until the document is ready"
    return seconds


async def _measure_worker_on_one_core() -> list[Row]:
    """Measures a worker on one core while many signed waivers wait for their documents.

    The first result also depends on other work on that core, such as that of PostgreSQL. The second one counts only the
    CPU time of the worker.
    """
    with (
        tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder,
        running_server(Path(folder), worker=False) as server,
    ):
        _, company_id = await asyncio.to_thread(server.sign_up_company)
        connection = await asyncpg.connect(server.db_url)
        await connection.fetch(INSERT_SESSIONS_TO_SIGN, company_id, BACKLOG_COUNT)
        await connection.execute(SIGN_ALL, random_signature())
        with _worker_on_one_core(Path(folder)) as worker_pid:
            warmed_up_at = await _wait_for_documents(connection, WORKER_WARM_UP_COUNT)
            cpu_before = cpu.tree_seconds(worker_pid)
            seconds = await _wait_for_documents(connection, BACKLOG_COUNT) - warmed_up_at
            cpu_seconds = cpu.tree_seconds(worker_pid) - cpu_before
        await connection.close()
    count = BACKLOG_COUNT - WORKER_WARM_UP_COUNT
    details = f"{BACKLOG_COUNT} waiting, each also with an email that is kept"
    return [
        Row("documents by a worker on one core", count / seconds, goal=20, unit="a second", details=details),
        Row(
            "documents of a worker per second of its CPU time",
            count / cpu_seconds,
            goal=20,
            unit="per CPU second",
            details=f"{cpu_seconds / count * 1000:.0f} ms of CPU each; {details}",
        ),
    ]


@contextmanager
def _worker_on_one_core(data: Path) -> Iterator[int]:
    """Yields the process id of the worker."""
    worker = subprocess.Popen(
        [sys.executable, "-m", "cairn", "worker", "--data", str(data)],
        stderr=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, {0}),  # noqa: PLW1509 - this process has no other threads yet
    )  # fmt: skip
    try:
        yield worker.pid
    finally:
        worker.terminate()
        worker.wait()


async def _wait_for_documents(connection: "asyncpg.Connection[asyncpg.Record]", count: int) -> float:
    """Returns the time at which `count` documents are sealed."""
    async with asyncio.timeout(300):
        while await connection.fetchval(COUNT_SEALED) < count:  # noqa: ASYNC110 - only the database knows
            await asyncio.sleep(0.05)
    return time.monotonic()
