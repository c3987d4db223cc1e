"""Prometheus reads metrics of a server and of its worker on ports of their own."""

import asyncio
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from prometheus_client import Histogram
from prometheus_client.parser import text_string_to_metric_families
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from cairn.db import SERVICE, Connection, Database
from cairn.jobs import queue_state
from cairn.metrics import MeasuredApp
from tests.faults.test_kill import open_sessions, sign_session
from tests.serving import RunningServer, free_port, run_cairn, serving

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.mark.accept("OPS-24")
async def test_prometheus_reads_what_a_server_and_its_worker_have_done(tmp_path: Path) -> None:
    port, worker_port = free_port(), free_port()
    settings = {"CAIRN_METRICS__PORT": str(port), "CAIRN_METRICS__WORKER_PORT": str(worker_port)}
    with serving(tmp_path, settings=settings) as server:
        await sign_up_and_sign(server)
        samples = await read_metrics(port, until="cairn_queue_age_seconds")
        worker_samples = await read_metrics(worker_port, until="cairn_emails_total")

    assert sample(samples, "cairn_request_duration_seconds_count", service="auth", status="2xx") >= 1
    assert sample(samples, "cairn_request_duration_seconds_count", service="rest", status="2xx") == 1
    assert sample(samples, "cairn_request_duration_seconds_count", service="pages", status="4xx") == 1
    assert sample(samples, "cairn_queue_age_seconds") < 60
    assert sample(samples, "cairn_failed_jobs") == 0
    # By default, a pool has 8 connections and 5 extra ones.
    assert sample(samples, "cairn_database_connections", pool="transactions", state="limit") == 13
    assert sample(worker_samples, "cairn_emails_total", outcome="kept") >= 1
    assert any(name == "cairn_jobs_total" and ("outcome", "succeeded") in labels for name, labels in worker_samples)


async def sign_up_and_sign(server: RunningServer) -> None:
    async with httpx.AsyncClient(base_url=server.url, headers={"apikey": server.anon_key}, timeout=20) as client:
        account = {"email": "rosa@rio-rafting.example", "password": "seven rivers and a lake"}
        assert (await client.post("/auth/v1/signup", json=account)).status_code == 200
        assert (await client.get("/no-such-page.txt")).status_code == 404
        [session_id] = await open_sessions(server, 1)
        assert await sign_session(client, session_id, set())


async def read_metrics(port: int, *, until: str) -> Samples:
    """Reads the metrics until there is a sample with this name, because the worker needs a moment."""
    samples: Samples = {}
    async with httpx.AsyncClient() as client:
        for _ in range(300):
            try:
                samples = parse((await client.get(f"http://127.0.0.1:{port}/metrics")).text)
            except httpx.TransportError:
                samples = {}
            if any(name == until for name, _ in samples):
                break
            await asyncio.sleep(0.1)
    return samples


def parse(text: str) -> Samples:
    return {
        (entry.name, frozenset(entry.labels.items())): entry.value
        for family in text_string_to_metric_families(text)
        for entry in family.samples
    }


def sample(samples: Samples, name: str, **labels: str) -> float:
    return samples[name, frozenset(labels.items())]


async def test_the_age_of_the_queue_is_that_of_the_oldest_event_or_due_job(
    database: Database, admin: Connection
) -> None:
    await admin.execute("select jobs.raise_event('test.waiting', '{}')")
    assert 0 <= await queue_age(database) < 60

    await admin.execute("update jobs.events set at = at - interval '5 minutes'")
    assert 300 <= await queue_age(database) < 360

    # The triggers of the queue find their tables by the search path.
    await admin.execute(
        """
        set search_path = jobs;
        insert into jobs.procrastinate_jobs (queue_name, task_name, args, status, scheduled_at)
        values ('cairn', 'test', '{}', 'todo', now() - interval '20 minutes'),
               ('cairn', 'test', '{}', 'todo', now() + interval '20 minutes'),
               ('cairn', 'test', '{}', 'doing', now() - interval '40 minutes')
        """
    )
    assert 1200 <= await queue_age(database) < 1260


async def queue_age(database: Database) -> float:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        return (await queue_state(connection)).delay_seconds


@pytest.mark.accept("OPS-24")
async def test_an_error_of_the_application_counts_as_5xx_and_is_raised() -> None:
    async def fail(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise ValueError("a bug")

    histogram = Histogram("test_requests", "Requests.", ("service", "status"), registry=None)
    transport = httpx.ASGITransport(app=MeasuredApp(fail, histogram))
    async with httpx.AsyncClient(transport=transport, base_url="http://cairn.example") as client:
        with pytest.raises(ValueError, match="a bug"):
            await client.get("/rest/v1/companies")

    assert observed(histogram) == {("rest", "5xx"): 1.0}


async def test_an_unknown_path_adds_no_time_series() -> None:
    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("ok")(scope, receive, send)

    histogram = Histogram("test_paths", "Requests.", ("service", "status"), registry=None)
    transport = httpx.ASGITransport(app=MeasuredApp(respond, histogram))
    async with httpx.AsyncClient(transport=transport, base_url="http://cairn.example") as client:
        for path in ("/", "/a/b", "/restaurant", "/storage/v1/x"):
            await client.get(path)

    assert observed(histogram) == {("pages", "2xx"): 3.0, ("storage", "2xx"): 1.0}


def observed(histogram: Histogram) -> dict[tuple[str, str], float]:
    [family] = histogram.collect()
    return {
        (entry.labels["service"], entry.labels["status"]): entry.value
        for entry in family.samples
        if entry.name.endswith("_count")
    }


@pytest.mark.accept("OPS-24")
def test_without_a_metrics_port_prometheus_client_is_not_imported() -> None:
    code = "import sys, cairn.commands.serve, cairn.commands.worker; sys.exit('prometheus_client' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_port_that_is_in_use_is_reported_in_one_line(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, settings={"CAIRN_METRICS__PORT": str(port)}, worker=False):
        second = run_cairn("worker", "--data", tmp_path, CAIRN_METRICS__WORKER_PORT=str(port))

    assert second.returncode == 1
    [line] = second.stderr.strip().splitlines()
    assert line == (
        f"cairn: Metrics cannot be served on 127.0.0.1, port {port} (Address already in use). "
        "Choose others with CAIRN_METRICS__HOST, …PORT and …WORKER_PORT."
    )
