"""The scene of many fault tests: guests sign while a part of the system is broken.

Afterwards, all acknowledged signatures are stored, all documents are sealed within ten seconds, each guest has received
one email, and `/health/ready` and the doctor find nothing wrong.
"""

import asyncio
import os
import subprocess
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

import asyncpg
import httpx
import pytest

from cairn.kit import default_ssl_context
from tests.faults.test_kill import open_sessions, sign_session
from tests.mail_server import MailServer, running_mail_server
from tests.serving import RunningServer, free_port, run_cairn, serving_in_thread, smtp_environment
from tests.waiting import wait_until_true

SEALED_WITHIN_SECONDS = 10.0
_GUEST_COUNT = 2
_SESSION_COUNT = 300
_PAUSE_SECONDS = 0.3
# While the server is down, an attempt fails at once. A slow machine needs a minute to start the server again, and the
# guests must not have used up their sessions by then.
_PAUSE_AFTER_FAILURE_SECONDS = 1.0
# How many signatures guests add during a fault. A slow machine cannot seal many more within ten seconds.
_SIGNATURES_DURING_FAULT = 6
# A loaded machine needs several seconds to start a process.
_START_TIMEOUT_SECONDS = 60.0
# Waivers without a document, with what is known about their documents and the states of their jobs.
_UNSEALED = """
select w.id, f.attempts, f.error,
       array(select row(j.status, j.attempts, j.scheduled_at - now(), j.worker_id)::text
               from jobs.procrastinate_jobs j
              where j.args -> 'payload' ->> 'waiver_id' = w.id::text
                and j.task_name = 'waivers.prepare_document') as jobs
  from waivers.signed w
  left join waivers.document_failures f on f.waiver_id = w.id
 where w.document_path is null
"""
_NO_JOB_IS_LEFT = "select count(*) = 0 from jobs.procrastinate_jobs where status in ('todo', 'doing')"
# After three failures, an email is tried again only after a minute, which would make the tests slow.
_RETRY_EMAILS_NOW = "update emails set tried_at = now() - interval '2 hours' where status = 'sending' and attempts >= 3"
_NO_EMAIL_IS_LEFT = "select count(*) = 0 from emails where status = 'sending'"
# A session is signed exactly if it has a waiver and an audit event.
_INCONSISTENT_SESSIONS = """
select s.id
  from waivers.sessions s
  left join waivers.signed w on w.session_id = s.id
  left join waivers.audit_events a on a.session_id = s.id and a.name = 'waiver.signed'
 where not ((s.status = 'signed') = (w.id is not null) and (w.id is not null) = (a.id is not null))
"""


@dataclass
class Observation:
    """What `/health/ready` and `cairn doctor` report."""

    checks: dict[str, str]
    doctor: "subprocess.CompletedProcess[str]"

    @property
    def failed_checks(self) -> dict[str, str]:
        return {name: outcome for name, outcome in self.checks.items() if outcome != "ok"}

    @property
    def failed_findings(self) -> dict[str, str]:
        failures = [line.split(maxsplit=2) for line in self.doctor.stdout.splitlines() if line.startswith("FAIL")]
        return {subject: message for _, subject, message in failures}


@dataclass
class Scene:
    data: Path
    mail_server: MailServer
    settings: Mapping[str, str]
    port: int = field(default_factory=free_port)
    acknowledged_ids: set[UUID] = field(default_factory=set)
    _max_signatures: int = 0
    _server: RunningServer | None = None
    _running: AsyncExitStack = field(default_factory=AsyncExitStack)

    @property
    def server(self) -> RunningServer:
        assert self._server is not None, "the server has not been started"
        return self._server

    async def start_server(self) -> None:
        """Starts the server, or starts it again after it was killed, at the same address."""
        await self._running.aclose()
        self._server = await self._running.enter_async_context(
            serving_in_thread(self.data, port=self.port, settings=self.settings)
        )
        await self.wait_until_ready()

    async def stop_server(self) -> None:
        await self._running.aclose()

    @asynccontextmanager
    async def guests_signing(self) -> AsyncIterator[None]:
        """Guests sign one waiver after another. After a failure, they go on with the next session."""
        sessions = await open_sessions(self.server, _SESSION_COUNT)
        guests = [asyncio.create_task(self._sign_all(sessions[number::_GUEST_COUNT])) for number in range(_GUEST_COUNT)]
        try:
            await self.wait_for_signatures(_GUEST_COUNT)
            yield
            await self.wait_for_signatures(_GUEST_COUNT)
        finally:
            for guest in guests:
                guest.cancel()
            await asyncio.gather(*guests, return_exceptions=True)

    async def _sign_all(self, sessions: list[UUID]) -> None:
        headers = {"apikey": self.server.anon_key, "Prefer": "return=minimal"}
        async with httpx.AsyncClient(
            base_url=self.server.url, headers=headers, timeout=20, verify=default_ssl_context()
        ) as client:
            for session_id in sessions:
                while len(self.acknowledged_ids) >= self._max_signatures:  # noqa: ASYNC110 - another task changes it
                    await asyncio.sleep(0.05)
                email = f"{session_id}@guests.example"
                is_signed = await sign_session(client, session_id, self.acknowledged_ids, email)
                await asyncio.sleep(_PAUSE_SECONDS if is_signed else _PAUSE_AFTER_FAILURE_SECONDS)

    async def wait_for_signatures(self, count: int) -> None:
        """Waits until this many more signatures are acknowledged."""
        expected = len(self.acknowledged_ids) + count
        self._max_signatures = expected + _SIGNATURES_DURING_FAULT
        async with asyncio.timeout(_START_TIMEOUT_SECONDS):
            while len(self.acknowledged_ids) < expected:  # noqa: ASYNC110 - the guests add to the set
                await asyncio.sleep(0.05)

    async def ready_checks(self) -> dict[str, str]:
        url = f"{self.server.url}/health/ready"
        response = await asyncio.to_thread(httpx.get, url, verify=default_ssl_context(), timeout=20)
        checks: dict[str, str] = response.json()["checks"]
        assert (response.status_code == 200) == all(outcome == "ok" for outcome in checks.values())
        return checks

    async def wait_until_ready(self, timeout_seconds: float = _START_TIMEOUT_SECONDS) -> None:
        async with asyncio.timeout(timeout_seconds):
            while not await self._is_ready():  # noqa: ASYNC110 - the state changes in another process
                await asyncio.sleep(0.2)

    async def _is_ready(self) -> bool:
        try:
            return all(outcome == "ok" for outcome in (await self.ready_checks()).values())
        except httpx.TransportError:
            return False

    async def observe(self) -> Observation:
        doctor = await asyncio.to_thread(run_cairn, "doctor", "--data", self.data, **self.settings)
        # The server reuses the result of its checks for two seconds. While the doctor ran, a result from
        # before the fault has become too old.
        return Observation(await self.ready_checks(), doctor)

    async def expect_recovery(self, recovered_at: float, *, max_repeated_emails: int = 0) -> None:
        """Checks that nothing is lost after the guests have stopped. The fault ended at the time `recovered_at`.

        A worker that is killed while it sends an email does not know whether the email has arrived. It is sent again
        with the same Message-ID, so that mail programs recognize it. That may happen `max_repeated_emails` times.
        """
        connection = await asyncpg.connect(self.server.db_url)
        while unsealed := await connection.fetch(_UNSEALED):
            assert time.monotonic() < recovered_at + SEALED_WITHIN_SECONDS * slowness(), unsealed
            await asyncio.sleep(0.1)
        await self.wait_until_ready()
        await wait_until_true(connection, _NO_JOB_IS_LEFT, timeout_seconds=_START_TIMEOUT_SECONDS)
        await connection.execute(_RETRY_EMAILS_NOW)
        await wait_until_true(connection, _NO_EMAIL_IS_LEFT, timeout_seconds=_START_TIMEOUT_SECONDS)
        signed = await connection.fetch("select id, signer_email from waivers.signed")
        inconsistent_sessions = await connection.fetch(_INCONSISTENT_SESSIONS)
        notifications = await connection.fetchval("select count(*) from notifications")
        await connection.close()

        assert self.acknowledged_ids <= {row["id"] for row in signed}
        assert inconsistent_sessions == []
        assert notifications == len(signed)
        emails = [(email["To"], email["Message-ID"]) for email in self.mail_server.emails]
        received = Counter(str(recipient) for recipient, _ in set(emails))
        assert received == Counter(row["signer_email"] for row in signed), "each guest has received one email"
        assert len(emails) - len(set(emails)) <= max_repeated_emails
        observation = await self.observe()
        assert observation.failed_checks == {}
        assert (observation.failed_findings, observation.doctor.returncode) == ({}, 0)


def short_and_long(row: str) -> pytest.MarkDecorator:
    """Runs a test with two durations of the fault, in seconds. The short one proves the acceptance row."""
    short = pytest.param(3, id="short", marks=pytest.mark.accept(row))
    return pytest.mark.parametrize("seconds", [short, pytest.param(15, id="long", marks=pytest.mark.faults)])


def slowness() -> float:
    """Returns how much longer everything takes because of other programs on this machine."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


@asynccontextmanager
async def fault_scene(data: Path, settings: Mapping[str, str] | None = None) -> AsyncIterator[Scene]:
    async with running_mail_server() as mail_server:
        all_settings = {
            **smtp_environment(mail_server.settings),
            "CAIRN_INQUIRIES__OPERATOR_EMAIL": "office@cairn.example",
            "CAIRN_MESSAGING__EMAILS__UNCONFIRMED_PER_DAY": "1000",
            "CAIRN_MESSAGING__EMAILS__UNCONFIRMED_PER_NETWORK": "1000",
            **(settings or {}),
        }
        scene = Scene(data, mail_server, all_settings)
        await scene.start_server()
        try:
            yield scene
        finally:
            await scene.stop_server()
