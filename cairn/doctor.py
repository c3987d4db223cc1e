"""Implements `cairn doctor`, which checks everything that Cairn depends on and says what to fix."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import timedelta

import aiosmtplib

from cairn.auth import Keyring
from cairn.db import SERVICE, Database, SecretChanged, check_secrets, connect, is_read_only, pending_schema_changes
from cairn.health import NO_WORKER
from cairn.jobs import is_worker_running, stuck_counts
from cairn.kit import Problem, frozen_dataclass
from cairn.production import unsafe_settings
from cairn.serve import database_urls
from cairn.settings import Settings
from cairn.site import BUILD_FOLDER
from cairn.storage import open_blob_store
from cairn.waivers import SealUnusable, StuckDocument, load_seal, stuck_documents

_DATABASE_TIMEOUT_SECONDS = 10
# A signed waiver without a document is reported after this time.
_OVERDUE_AFTER = timedelta(minutes=1)


@frozen_dataclass
class Finding:
    """The result of one check. If it is not healthy, the message says what to fix."""

    subject: str
    healthy: bool
    message: str


async def examine(settings: Settings, report: Callable[[str], None] = print) -> int:
    """Reports one line per finding and returns the exit code: 0 if nothing needs fixing."""
    findings = [finding async for finding in _findings(settings)]
    for finding in findings:
        report(f"{'ok  ' if finding.healthy else 'FAIL'}  {finding.subject:<11} {finding.message}")
    return 0 if all(finding.healthy for finding in findings) else 1


async def _findings(settings: Settings) -> AsyncIterator[Finding]:
    yield _check_data_folder(settings)
    yield await _check_blob_store(settings)
    yield _check_seal(settings)
    yield _check_keys(settings)
    yield _check_pages()
    yield await _check_mail(settings)
    yield _check_payment(settings)
    for reason in unsafe_settings(settings):
        yield Finding("production", False, reason)
    try:
        with database_urls(settings) as (admin_url, login_url):
            yield await _check_secrets(settings, admin_url)
            async for finding in _check_database(admin_url, login_url, settings.database.pooler_url):
                yield finding
    except Problem as problem:
        yield Finding("database", False, str(problem))


def _check_data_folder(settings: Settings) -> Finding:
    if os.access(settings.data, os.R_OK | os.W_OK | os.X_OK):
        return Finding("storage", True, f"the data folder {settings.data} can be written to")
    return Finding(
        "storage", False, f"the data folder {settings.data} cannot be written to; choose another with --data"
    )


async def _check_blob_store(settings: Settings) -> Finding:
    place = settings.storage.s3.bucket or settings.data / "storage"
    try:
        await open_blob_store(settings.storage, settings.data / "storage").check()
    except (Problem, OSError) as error:
        return Finding("files", False, f"files cannot be stored in {place}: {error}")
    return Finding("files", True, f"files can be stored in {place}")


def _check_seal(settings: Settings) -> Finding:
    try:
        load_seal(settings.data, settings.documents)
    except SealUnusable as error:
        return Finding("seal", False, str(error))
    return Finding("seal", True, "documents can be sealed")


def _check_keys(settings: Settings) -> Finding:
    keyring = Keyring(settings.auth)
    try:
        keyring.principal(keyring.anon_key)
        keyring.principal(keyring.service_key)
    except Problem as problem:
        return Finding("keys", False, f"the project keys do not verify ({problem}); check CAIRN_AUTH__JWT_SECRET")
    return Finding("keys", True, "the project keys verify")


async def _check_secrets(settings: Settings, admin_url: str) -> Finding:
    connection = await connect(admin_url)
    try:
        await check_secrets(connection, settings.secrets_with_stored_fingerprints)
    except SecretChanged as error:
        return Finding("secrets", False, str(error))
    finally:
        await connection.close()
    return Finding("secrets", True, "the database is used with these secrets")


def _check_pages() -> Finding:
    if (BUILD_FOLDER / "app" / "index.html").exists() and (BUILD_FOLDER / "sign" / "index.html").exists():
        return Finding("pages", True, "the web application is built")
    return Finding("pages", False, "the web application is not built; run `make web`")


async def _check_mail(settings: Settings) -> Finding:
    server = settings.messaging.smtp
    if server is None:
        return Finding("mail", True, "no mail server is configured: emails are kept in Email History and not delivered")
    address = f"{server.host}:{server.port}"
    client = aiosmtplib.SMTP(
        hostname=server.host,
        port=server.port,
        use_tls=server.security == "tls",
        start_tls=server.security == "starttls",
        timeout=server.timeout_seconds,
    )
    try:
        async with client:
            if server.username and server.password:
                await client.login(server.username, server.password.get_secret_value())
    except (aiosmtplib.SMTPException, OSError) as error:
        return Finding("mail", False, f"{address} does not accept mail ({error}); check CAIRN_MESSAGING__SMTP__…")
    operator = settings.inquiries.operator_email
    if operator.endswith("@localhost"):
        message = f"inquiries of visitors would be sent to {operator}; set CAIRN_INQUIRIES__OPERATOR_EMAIL"
        return Finding("mail", False, message)
    return Finding("mail", True, f"{address} accepts mail")


def _check_payment(settings: Settings) -> Finding:
    if settings.billing.stripe.secret_key is None:
        return Finding("payment", True, "no provider is configured: plans are sold in a sandbox that charges nothing")
    return Finding("payment", True, "plans are paid at Stripe, which sends its events to /billing/webhook/stripe")


def _check_worker(has_worker: bool) -> Finding:
    if has_worker:
        return Finding("worker", True, "a worker is running")
    return Finding("worker", False, f"{NO_WORKER}; start `cairn serve` or `cairn worker`")


def _check_documents(overdue: Sequence[StuckDocument]) -> Finding:
    if not overdue:
        return Finding("documents", True, "every signed waiver has its document, or will have it in a moment")
    oldest = overdue[0]
    reason = f"tried {oldest.attempts} times, {oldest.error}" if oldest.error else "never tried; is a worker running?"
    message = f"{len(overdue)} signed waivers wait for their document, first {oldest.waiver_id}: {reason}"
    return Finding("documents", False, message)


async def _check_database(admin_url: str, login_url: str, pooler_url: str | None) -> AsyncIterator[Finding]:
    pending = await pending_schema_changes(admin_url)
    yield Finding("database", True, "reachable")
    if pending:
        yield Finding("migrations", False, f"{len(pending)} are missing; run `cairn migrate`")
        return
    yield Finding("migrations", True, "the schema is up to date")
    async with (
        asyncio.timeout(_DATABASE_TIMEOUT_SECONDS),
        Database(login_url, pooler_url=pooler_url, pool_size=1) as database,
        database.acting_as(SERVICE, read_only=True) as connection,
    ):
        read_only = await is_read_only(connection)
        has_worker = await is_worker_running(connection)
        waiting, failed = await stuck_counts(connection)
        overdue = await stuck_documents(connection, older_than=_OVERDUE_AFTER)
    if read_only:
        yield Finding("database", False, "read-only: nothing can be signed or sent until it accepts changes again")
    yield _check_worker(has_worker)
    yield _check_documents(overdue)
    if waiting or failed:
        message = f"{waiting} events wait for a worker, {failed} jobs failed for good; is `cairn worker` running?"
        yield Finding("jobs", False, message)
        return
    yield Finding("jobs", True, "nothing is stuck")
