"""A browser, the really running product, and a real SMTP server between them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Literal

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, ViewportSize, async_playwright

from tests.e2e.line import Line, line_to
from tests.integrations.receiver import Receiver, receiving, webhook_environment
from tests.mail_server import MailServer, running_mail_server
from tests.messaging.mail_providers import certificate_for
from tests.serving import Served, serving, smtp_environment

FLAGS = [
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


@dataclass(frozen=True, slots=True)
class Place:
    """The product as the world sees it: its address, and where its mail arrives."""

    served: Served
    office: MailServer
    # A company's own server, to which its webhooks lead.
    hooks: Receiver = field(default_factory=Receiver)

    @property
    def url(self) -> str:
        return self.served.url

    async def letter(self, subject: str, seconds: float = 15.0) -> EmailMessage:
        """The one with this subject, or waits for it."""
        async with asyncio.timeout(seconds):
            while True:
                found = [letter for letter in self.office.emails if letter["Subject"] == subject]
                if found:
                    return found[0]
                await asyncio.sleep(0.02)


@pytest_asyncio.fixture(scope="session")
async def place(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Place]:
    certificate = certificate_for("127.0.0.1", tmp_path_factory.mktemp("hooks"))
    async with running_mail_server() as office, receiving(certificate, "127.0.0.1") as hooks:
        settings = {**smtp_environment(office.settings), **webhook_environment(hooks, certificate)}
        opened = serving(tmp_path_factory.mktemp("served"), settings=settings)
        # Starting and stopping wait; the post office must be able to answer meanwhile.
        served = await asyncio.to_thread(opened.__enter__)
        try:
            yield Place(served, office, hooks)
        finally:
            await asyncio.to_thread(opened.__exit__, None, None, None)


@pytest_asyncio.fixture(scope="session")
async def browser(chromium: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield launched
        await launched.close()


@pytest_asyncio.fixture
async def desktop(browser: Browser, place: Place) -> AsyncIterator[Page]:
    """A company's desktop browser."""
    async with _desk(browser, place.url) as page:
        yield page


@pytest_asyncio.fixture
async def desktop_without_worker(browser: Browser, place: Place) -> AsyncIterator[Page]:
    """For stories that hold a request back: what goes by way of the app's worker is not seen from outside."""
    async with _desk(browser, place.url, workers="block") as page:
        yield page


@pytest_asyncio.fixture
async def phone(browser: Browser, place: Place) -> AsyncIterator[Page]:
    """A guest's phone, with nothing remembered on it."""
    async with _phone(browser, place.url) as page:
        yield page


@pytest_asyncio.fixture
async def line(place: Place) -> AsyncIterator[Line]:
    async with line_to(place.url) as opened:
        yield opened


@pytest_asyncio.fixture
async def far_desktop(browser: Browser, line: Line) -> AsyncIterator[Page]:
    """The desktop, where the line can fail."""
    async with _desk(browser, line.url) as page:
        yield page


@pytest_asyncio.fixture
async def far_phone(browser: Browser, line: Line) -> AsyncIterator[Page]:
    """The phone, where the line can fail."""
    async with _phone(browser, line.url) as page:
        yield page


@asynccontextmanager
async def _desk(browser: Browser, url: str, workers: Literal["allow", "block"] = "allow") -> AsyncIterator[Page]:
    context = await browser.new_context(base_url=url, viewport=DESKTOP, service_workers=workers)
    yield await _watched(context)
    await _closed(context)


@asynccontextmanager
async def _phone(browser: Browser, url: str) -> AsyncIterator[Page]:
    context = await browser.new_context(
        base_url=url, viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=3
    )
    yield await _watched(context)
    await _closed(context)


_complaints: dict[BrowserContext, list[str]] = {}


async def _watched(context: BrowserContext) -> Page:
    """A page that breaks in a way nobody sees is still broken."""
    complaints = _complaints.setdefault(context, [])
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    page = await context.new_page()
    page.on("console", lambda line: complaints.append(line.text) if "Content Security Policy" in line.text else None)
    return page


async def _closed(context: BrowserContext) -> None:
    await context.close()
    assert _complaints.pop(context) == []
