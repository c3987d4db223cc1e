"""Provides the running product, the servers that receive its messages, and browsers."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import field
from email.message import EmailMessage
from typing import Literal

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, ViewportSize, async_playwright, expect

from cairn.kit import default_ssl_context, frozen_dataclass
from tests.e2e.close_context import close_context
from tests.e2e.company import Company, registered_company
from tests.e2e.fault_proxy import FaultProxy, running_fault_proxy
from tests.fake_service import FakeService, running_fake_service
from tests.integrations.receiver import WebhookReceiver, running_receiver, webhook_environment
from tests.mail_server import MailServer, plain_body, running_mail_server
from tests.messaging.mail_providers import certificate_for
from tests.serving import RunningServer, serving_in_thread, smtp_environment
from tests.sms_gateway import twilio_environment, twilio_response
from tests.waiting import PATIENCE_SECONDS

# `expect` waits for as long as Playwright waits for a click or for a page.
expect.set_options(timeout=30_000)

CHROMIUM_FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)


@frozen_dataclass
class Deployment:
    """Combines the running product with the servers that receive its emails and webhooks."""

    server: RunningServer
    mail_server: MailServer
    webhook_receiver: WebhookReceiver = field(default_factory=WebhookReceiver)

    @property
    def url(self) -> str:
        return self.server.url

    async def wait_for_email(
        self, subject: str, timeout_seconds: float = PATIENCE_SECONDS, *, containing: str = ""
    ) -> EmailMessage:
        """Waits for an email with this subject. If other emails have the same subject, `containing` selects one."""
        async with asyncio.timeout(timeout_seconds):
            while True:
                matching_emails = [
                    email
                    for email in self.mail_server.emails
                    if email["Subject"] == subject and containing in plain_body(email)
                ]
                if matching_emails:
                    return matching_emails[0]
                await asyncio.sleep(0.02)

    async def wait_for_signing_link(self, recipient: str) -> str:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                for email in self.mail_server.emails:
                    link = re.search(r"https?://\S+/waivers/sign/session/[0-9a-f-]{36}", plain_body(email))
                    if email["To"] == recipient and link:
                        return link[0]
                await asyncio.sleep(0.05)


@pytest_asyncio.fixture(scope="session")
async def deployment(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Deployment]:
    certificate = certificate_for("127.0.0.1", tmp_path_factory.mktemp("webhooks"))
    async with running_mail_server() as mail_server, running_receiver(certificate, "127.0.0.1") as receiver:
        settings = {**smtp_environment(mail_server.settings), **webhook_environment(receiver, certificate)}
        async with serving_in_thread(tmp_path_factory.mktemp("cairn"), settings=settings) as server:
            yield Deployment(server, mail_server, receiver)


@frozen_dataclass
class DeploymentWithSms:
    """Combines the running product with the SMS gateway that it uses."""

    server: RunningServer
    gateway: FakeService


@pytest_asyncio.fixture
async def deployment_with_sms(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[DeploymentWithSms]:
    """Runs the product with an SMS gateway."""
    async with running_mail_server() as mail_server, running_fake_service(twilio_response) as gateway:
        settings = {**smtp_environment(mail_server.settings), **twilio_environment(gateway)}
        async with serving_in_thread(tmp_path_factory.mktemp("sms"), settings=settings) as server:
            yield DeploymentWithSms(server, gateway)


@pytest_asyncio.fixture(scope="session")
async def browser(chromium: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield browser
        await browser.close()


@pytest.fixture
def company(deployment: Deployment) -> Iterator[Company]:
    with registered_company(deployment.server) as company:
        yield company


@pytest_asyncio.fixture
async def desktop(browser: Browser, deployment: Deployment) -> AsyncIterator[Page]:
    """Opens a page in a company's desktop browser, without a service worker.

    A service worker downloads the whole app in each new browser, and Playwright cannot hold its requests.
    """
    async with _desktop(browser, deployment.url) as page:
        yield page


@pytest_asyncio.fixture
async def desktop_with_service_worker(browser: Browser, deployment: Deployment) -> AsyncIterator[Page]:
    """Opens a page in a company's desktop browser with a service worker, as real users have it."""
    async with _desktop(browser, deployment.url, service_workers="allow") as page:
        yield page


@pytest_asyncio.fixture
async def tablet(browser: Browser, deployment: Deployment) -> AsyncIterator[Page]:
    """Opens a page on a company's tablet."""
    async with _desktop(browser, deployment.url) as page:
        await page.set_viewport_size({"width": 768, "height": 1024})
        yield page


@pytest_asyncio.fixture
async def page_without_scripts(browser: Browser, deployment: Deployment) -> AsyncIterator[Page]:
    """Opens a page in a desktop browser without JavaScript."""
    context = await browser.new_context(base_url=deployment.url, viewport=DESKTOP, java_script_enabled=False)
    yield await context.new_page()
    await close_context(context)


@pytest.fixture
def client(deployment: Deployment) -> Iterator[httpx.Client]:
    """Fetches pages as the server sends them, without a browser."""
    with httpx.Client(base_url=deployment.url, verify=default_ssl_context()) as http_client:
        yield http_client


@pytest_asyncio.fixture
async def phone(browser: Browser, deployment: Deployment) -> AsyncIterator[Page]:
    """Opens a page on a guest's phone, with empty storage."""
    async with _phone(browser, deployment.url) as page:
        yield page


@pytest_asyncio.fixture
async def proxy(deployment: Deployment) -> AsyncIterator[FaultProxy]:
    async with running_fault_proxy(deployment.url) as proxy:
        yield proxy


@pytest_asyncio.fixture
async def desktop_behind_proxy(browser: Browser, proxy: FaultProxy) -> AsyncIterator[Page]:
    """Opens a desktop page that connects to the server through the fault proxy."""
    async with _desktop(browser, proxy.url) as page:
        yield page


@pytest_asyncio.fixture
async def phone_behind_proxy(browser: Browser, proxy: FaultProxy) -> AsyncIterator[Page]:
    """Opens a page on a phone that connects to the server through the fault proxy."""
    async with _phone(browser, proxy.url) as page:
        yield page


@asynccontextmanager
async def _desktop(
    browser: Browser, url: str, service_workers: Literal["allow", "block"] = "block"
) -> AsyncIterator[Page]:
    context = await browser.new_context(base_url=url, viewport=DESKTOP, service_workers=service_workers)
    yield await _open_watched_page(context)
    await _close_and_check(context)


@asynccontextmanager
async def _phone(browser: Browser, url: str) -> AsyncIterator[Page]:
    context = await browser.new_context(
        base_url=url, viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=3
    )
    yield await _open_watched_page(context)
    await _close_and_check(context)


_page_errors: dict[BrowserContext, list[str]] = {}


async def _open_watched_page(context: BrowserContext) -> Page:
    """Records script errors and policy violations, which fail the test even if nothing is visible on the page."""
    errors = _page_errors.setdefault(context, [])
    context.on("weberror", lambda error: errors.append(str(error.error)))
    page = await context.new_page()
    page.on("console", lambda line: errors.append(line.text) if "Content Security Policy" in line.text else None)
    return page


async def _close_and_check(context: BrowserContext) -> None:
    await close_context(context)
    assert _page_errors.pop(context) == []
