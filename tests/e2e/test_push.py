"""The browser shows push messages. DevTools delivers them in place of an external push service."""

import asyncio
import json

import pytest
from playwright.async_api import Browser, CDPSession, Page

from tests.e2e.close_context import close_context
from tests.e2e.conftest import DESKTOP, Deployment
from tests.waiting import PATIENCE_SECONDS

MESSAGE = {
    "title": "New Waiver Signed",
    "message": "Gil Okafor has signed a waiver: River trip",
    "link": "/dashboard/waiver-management?waiver=1",
    "about": "w1",
}
REGISTER_WORKER = "navigator.serviceWorker.register('/push-worker.js', { scope: '/push/' }).then(() => {})"
SHOWN_NOTIFICATIONS = """
navigator.serviceWorker.getRegistration('/push/')
    .then((registration) => registration.getNotifications())
    .then((notifications) => notifications.map(({ title, body, data }) => [title, body, data.link]))
"""


async def register_push_worker(devtools: CDPSession, page: Page) -> str:
    """Registers the push worker, waits until it is active, and returns its registration id."""
    registration_id: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def record_registration(event: dict[str, list[dict[str, str]]]) -> None:
        for registration in event["registrations"]:
            if registration["scopeURL"].endswith("/push/") and not registration_id.done():
                registration_id.set_result(registration["registrationId"])

    devtools.on("ServiceWorker.workerRegistrationUpdated", record_registration)
    await devtools.send("ServiceWorker.enable")
    await page.evaluate(REGISTER_WORKER)
    await page.wait_for_function(
        "navigator.serviceWorker.getRegistration('/push/').then((registration) => Boolean(registration?.active))"
    )
    async with asyncio.timeout(PATIENCE_SECONDS):
        return await registration_id


@pytest.mark.accept("PROF-05")
async def test_a_push_message_is_shown_once_per_waiver_and_the_push_worker_controls_no_page(
    deployment: Deployment, browser: Browser
) -> None:
    context = await browser.new_context(base_url=deployment.url, viewport=DESKTOP, permissions=["notifications"])
    page = await context.new_page()
    await page.goto("/signin")
    devtools = await context.new_cdp_session(page)
    registration_id = await register_push_worker(devtools, page)

    for _ in range(2):
        await devtools.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": f"{deployment.url}/", "registrationId": registration_id, "data": json.dumps(MESSAGE)},
        )

    # The second notification replaces the first, so for a moment there is none.
    expected = json.dumps([[MESSAGE["title"], MESSAGE["message"], MESSAGE["link"]]], separators=(",", ":"))
    is_shown = f"(expected) => {SHOWN_NOTIFICATIONS.strip()}.then((shown) => JSON.stringify(shown) === expected)"
    await page.wait_for_function(is_shown, arg=expected)
    assert await page.evaluate("navigator.serviceWorker.controller") is None
    await close_context(context)
