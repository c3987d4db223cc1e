"""`cairn doctor`: looks at everything Cairn leans on and says what to mend."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

import aiosmtplib

from cairn.auth import Keyring
from cairn.db import SERVICE, Database, missing_migrations
from cairn.jobs import stuck
from cairn.kit import Problem
from cairn.serve import database_urls
from cairn.settings import Settings
from cairn.site import BUILD
from cairn.waivers import StuckDocument, stuck_documents

_DOCUMENTS_TAKE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Finding:
    what: str
    healthy: bool
    says: str


async def examine(settings: Settings, say: Callable[[str], None] = print) -> int:
    """Says one line per finding; 0 when nothing needs mending."""
    findings = [finding async for finding in _findings(settings)]
    for finding in findings:
        say(f"{'ok  ' if finding.healthy else 'MEND'}  {finding.what:<11} {finding.says}")
    return 0 if all(finding.healthy for finding in findings) else 1


async def _findings(settings: Settings) -> AsyncIterator[Finding]:
    yield _storage(settings)
    yield _keys(settings)
    yield _pages()
    yield await _mail(settings)
    yield _payment(settings)
    try:
        with database_urls(settings) as (admin_url, login_url):
            async for finding in _database(admin_url, login_url):
                yield finding
    except Problem as problem:
        yield Finding("database", False, str(problem))


def _storage(settings: Settings) -> Finding:
    if os.access(settings.data, os.R_OK | os.W_OK | os.X_OK):
        return Finding("storage", True, f"the data folder {settings.data} can be written to")
    return Finding(
        "storage", False, f"the data folder {settings.data} cannot be written to; choose another with --data"
    )


def _keys(settings: Settings) -> Finding:
    keyring = Keyring(settings.auth)
    try:
        keyring.principal(keyring.anon_key)
        keyring.principal(keyring.service_key)
    except Problem as problem:
        return Finding("keys", False, f"the project keys do not verify ({problem}); check CAIRN_AUTH__JWT_SECRET")
    return Finding("keys", True, "the project keys verify")


def _pages() -> Finding:
    if (BUILD / "app" / "index.html").exists() and (BUILD / "sign" / "index.html").exists():
        return Finding("pages", True, "the web application is built")
    return Finding("pages", False, "the web application is not built; run `make web`")


async def _mail(settings: Settings) -> Finding:
    server = settings.messaging.smtp
    if server is None:
        return Finding("mail", True, "no mail server is set up: mails are kept in Email History and go to nobody")
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
    except (aiosmtplib.SMTPException, OSError) as lost:
        return Finding("mail", False, f"{address} does not take mail ({lost}); check CAIRN_MESSAGING__SMTP__…")
    operator = settings.inquiries.operator_email
    if operator.endswith("@localhost"):
        says = f"{address} takes mail, but what visitors write goes to {operator}; set CAIRN_INQUIRIES__OPERATOR_EMAIL"
        return Finding("mail", False, says)
    return Finding("mail", True, f"{address} takes mail")


def _payment(settings: Settings) -> Finding:
    if settings.billing.stripe.secret_key is None:
        return Finding("payment", True, "no provider is set up: plans are sold in a sandbox that charges nothing")
    return Finding("payment", True, "plans are paid for at Stripe, which tells of it at /billing/webhook/stripe")


def _documents(overdue: Sequence[StuckDocument]) -> Finding:
    if not overdue:
        return Finding("documents", True, "every signed waiver has its document, or will have it in a moment")
    oldest = overdue[0]
    reason = f"tried {oldest.attempts} times, {oldest.error}" if oldest.error else "never tried; is a worker running?"
    says = f"{len(overdue)} signed waivers wait for their document, first {oldest.waiver_id}: {reason}"
    return Finding("documents", False, says)


async def _database(admin_url: str, login_url: str) -> AsyncIterator[Finding]:
    missing = await missing_migrations(admin_url)
    yield Finding("database", True, "it can be reached")
    if missing:
        yield Finding("migrations", False, f"{len(missing)} are missing; run `cairn migrate`")
        return
    yield Finding("migrations", True, "the schema is this version's")
    async with (
        asyncio.timeout(10),
        Database(login_url, pool_size=1) as database,
        database.acting_as(SERVICE, read_only=True) as connection,
    ):
        waiting, failed = await stuck(connection)
        overdue = await stuck_documents(connection, older_than=_DOCUMENTS_TAKE)
    yield _documents(overdue)
    if waiting or failed:
        says = f"{waiting} events wait for a worker, {failed} jobs were given up; is `cairn worker` running?"
        yield Finding("jobs", False, says)
        return
    yield Finding("jobs", True, "nothing is stuck")
