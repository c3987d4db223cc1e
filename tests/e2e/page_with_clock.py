"""Defines the fixture `page` for tests that block requests or advance the clock."""

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.e2e.close_context import close_context
from tests.e2e.conftest import DESKTOP, Deployment


@pytest_asyncio.fixture
async def page(browser: Browser, deployment: Deployment) -> AsyncIterator[Page]:
    """Opens a page without a service worker, so that requests can be blocked. Tests can advance its clock."""
    context = await browser.new_context(base_url=deployment.url, viewport=DESKTOP, service_workers="block")
    page = await context.new_page()
    await page.clock.install()
    yield page
    await close_context(context)
