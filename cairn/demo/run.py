"""Runs the application and a worker in this process while the sample data is created."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import field
from uuid import UUID

import httpx

from cairn.app import running_app
from cairn.auth import Keyring
from cairn.billing import SAMPLE_CUSTOMER_PREFIX
from cairn.db import Connection, Principal, connect, migrate
from cairn.demo import store
from cairn.demo.client import ApiClient
from cairn.demo.season import DOMAIN, OWNER, PAID_AMOUNTS_CENTS, guests
from cairn.demo.set_up_company import consent_version, mark_older_notifications_read, set_up_company
from cairn.demo.write_season import Season, write_season
from cairn.kit import Problem, frozen_dataclass, now
from cairn.serve import database_urls
from cairn.settings import Settings
from cairn.worker import run_worker

COMPANY_EMAIL = f"company@{DOMAIN}"
GUEST, GUEST_EMAIL = "Noor Haddad", f"noor.haddad@{DOMAIN}"
_DOCUMENT_TIMEOUT_SECONDS = 120.0


class MailServerConfigured(Problem):
    status, code = 400, "mail_server_set_up"
    message = (
        "A mail server is configured, and the sample data would send it emails to addresses that do not exist. "
        "Choose a separate data folder (--data) without CAIRN_MESSAGING__SMTP."
    )


@frozen_dataclass
class SampleAccounts:
    """The accounts to sign in with.

    `is_new` is False if the sample company existed already. In that case only the password was changed.
    """

    company_email: str
    guest_email: str
    password: str = field(repr=False)
    is_new: bool


async def create_sample_company(settings: Settings) -> SampleAccounts:
    if settings.messaging.smtp is not None:
        raise MailServerConfigured
    password = secrets.token_urlsafe(12)
    with database_urls(settings) as (admin_url, login_url):
        await migrate(admin_url, login_password=settings.database.login_password.get_secret_value())
        async with _running_product(settings, login_url) as (client, admin):
            user_ids = await _sample_user_ids(admin)
            for user_id in user_ids:
                await admin.put(f"/auth/v1/admin/users/{user_id}", {"password": password})
            if not user_ids:
                await _create_season(settings, admin_url, client, admin, password)
    return SampleAccounts(COMPANY_EMAIL, GUEST_EMAIL, password, is_new=not user_ids)


@asynccontextmanager
async def _running_product(settings: Settings, login_url: str) -> AsyncIterator[tuple[ApiClient, ApiClient]]:
    """Runs the application and a worker in this process, and yields a guest client and an admin client.

    A server may run at the same time.
    """
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


async def _sample_user_ids(admin: ApiClient) -> list[str]:
    """Returns no ids if the sample company does not exist yet."""
    response = await admin.get(f"/auth/v1/admin/users?filter={DOMAIN}&per_page=50")
    return [user["id"] for user in response["users"] if user["email"] in {COMPANY_EMAIL, GUEST_EMAIL}]


async def _create_season(
    settings: Settings, admin_url: str, client: ApiClient, admin: ApiClient, password: str
) -> None:
    await _add_user(admin, COMPANY_EMAIL, OWNER, "company", password)
    await _add_user(admin, GUEST_EMAIL, GUEST, "customer", password)
    credentials = {"email": COMPANY_EMAIL, "password": password}
    session = await client.post("/auth/v1/token?grant_type=password", credentials)
    company, company_id = client.signed_in(session), UUID(session["user"]["app_metadata"]["company_id"])
    principal = Principal("authenticated", {"sub": session["user"]["id"], "role": "authenticated"})
    templates = await set_up_company(company)
    season = Season(principal, company_id, templates, await consent_version(company), settings.auth.site_url)
    connection = await connect(admin_url)
    try:
        if settings.billing.stripe.secret_key is None:
            customer = f"{SAMPLE_CUSTOMER_PREFIX}{company_id}"
            await store.add_plan(connection, company_id, customer, [*PAID_AMOUNTS_CENTS])
        await write_season(connection, season, guests(now()))
        await _wait_for_documents(connection, company_id)
        await store.date_what_the_worker_wrote(connection, company_id)
    finally:
        await connection.close()
    await mark_older_notifications_read(company)


async def _add_user(admin: ApiClient, email: str, name: str, role: str, password: str) -> None:
    user = {
        "email": email,
        "password": password,
        "email_confirm": True,
        "user_metadata": {"name": name},
        "app_metadata": {"role": role},
    }
    await admin.post("/auth/v1/admin/users", user)


async def _wait_for_documents(connection: Connection, company_id: UUID) -> None:
    async with asyncio.timeout(_DOCUMENT_TIMEOUT_SECONDS):
        while await store.count_missing_documents(connection, company_id):  # noqa: ASYNC110 - another process may prepare them
            await asyncio.sleep(0.1)
