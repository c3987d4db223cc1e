"""The whole product, opened for as long as it takes to fill it."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

import asyncpg
import httpx

from cairn.app import running_app
from cairn.auth import Keyring
from cairn.billing import SAMPLE
from cairn.db import migrate
from cairn.demo import store
from cairn.demo.client import ApiClient
from cairn.demo.season import DOMAIN, OWNER, PAID_CENTS, guests
from cairn.demo.send_and_sign import Sent, play, read_the_older_news
from cairn.kit import Problem
from cairn.serve import database_urls
from cairn.settings import Settings
from cairn.worker import run_worker

COMPANY_EMAIL = f"company@{DOMAIN}"
_DOCUMENTS_TAKE = 120.0


class MailServerSetUp(Problem):
    status, code = 400, "mail_server_set_up"
    message = (
        "A mail server is set up, and sample data would send it mails for addresses that do not exist. "
        "Choose a data folder of its own (--data) without CAIRN_MESSAGING__SMTP."
    )


@dataclass(frozen=True, slots=True)
class SampleAccounts:
    """How to sign in. `is_new` is false when the sample company was there already: then only the password is new."""

    company_email: str
    guest_email: str
    password: str = field(repr=False)
    is_new: bool


async def fill(settings: Settings) -> SampleAccounts:
    if settings.messaging.smtp is not None:
        raise MailServerSetUp
    password = secrets.token_urlsafe(12)
    with database_urls(settings) as (admin_url, login_url):
        await migrate(admin_url, login_password=settings.database.login_password.get_secret_value())
        async with _opened(settings, login_url) as (client, admin):
            known = await _known(admin)
            for person in known:
                await admin.put(f"/auth/v1/admin/users/{person}", {"password": password})
            if not known:
                await _season(settings, admin_url, client, admin, password)
    return SampleAccounts(COMPANY_EMAIL, guests()[0].email, password, is_new=not known)


@asynccontextmanager
async def _opened(settings: Settings, login_url: str) -> AsyncIterator[tuple[ApiClient, ApiClient]]:
    """The product's own application and worker, here: whether a server runs beside them makes no difference."""
    keyring, stop = Keyring(settings.auth), asyncio.Event()
    worker = asyncio.create_task(run_worker(settings, login_url, stop))
    try:
        async with (
            running_app(settings, login_url) as app,
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app),
                base_url=settings.auth.site_url,
                headers={"apikey": keyring.anon_key, "User-Agent": "cairn demo"},
                timeout=60,
            ) as client,
        ):
            yield ApiClient(client), ApiClient(client, keyring.service_key)
    finally:
        stop.set()
        await worker


async def _known(admin: ApiClient) -> list[str]:
    """The sample people, when they were made before."""
    found = await admin.get(f"/auth/v1/admin/users?filter={DOMAIN}&per_page=50")
    ours = {COMPANY_EMAIL, guests()[0].email}
    return [person["id"] for person in found["users"] if person["email"] in ours]


async def _season(settings: Settings, admin_url: str, client: ApiClient, admin: ApiClient, password: str) -> None:
    await _add(admin, COMPANY_EMAIL, OWNER, "company", password)
    await _add(admin, guests()[0].email, guests()[0].name, "customer", password)
    credentials = {"email": COMPANY_EMAIL, "password": password}
    session = await client.post("/auth/v1/token?grant_type=password", credentials)
    company, company_id = client.signed_in(session), UUID(session["user"]["app_metadata"]["company_id"])
    sent = await play(company, settings.auth.site_url)
    connection = await asyncpg.connect(admin_url)
    try:
        await _set_back(connection, sent)
        if settings.billing.stripe.secret_key is None:
            await store.add_paid_months(connection, company_id, f"{SAMPLE}{company_id}", [*PAID_CENTS])
        await _await_documents(connection, company_id)
    finally:
        await connection.close()
    await read_the_older_news(company)


async def _add(admin: ApiClient, email: str, name: str, role: str, password: str) -> None:
    person = {
        "email": email,
        "password": password,
        "email_confirm": True,
        "user_metadata": {"name": name},
        "app_metadata": {"role": role},
    }
    await admin.post("/auth/v1/admin/users", person)


async def _set_back(connection: "asyncpg.Connection[asyncpg.Record]", sent: list[Sent]) -> None:
    for sending in sent:
        await store.set_back(connection, UUID(sending.session_id), timedelta(days=sending.guest.days_ago))


async def _await_documents(connection: "asyncpg.Connection[asyncpg.Record]", company_id: UUID) -> None:
    async with asyncio.timeout(_DOCUMENTS_TAKE):
        while await store.documents_missing(connection, company_id):  # noqa: ASYNC110 - another process may do it
            await asyncio.sleep(0.1)
