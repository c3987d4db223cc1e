"""What the browser does with a push. Push services are strangers', so it is handed what one of them would bring."""

import asyncio
import json

import pytest
from playwright.async_api import Browser, CDPSession, Page

from tests.e2e.conftest import DESKTOP, Place

WORDS = {
    "title": "New Waiver Signed",
    "message": "Gil Okafor has signed a waiver: River trip",
    "link": "/dashboard/waiver-management?waiver=1",
    "about": "w1",
}
REGISTER = "navigator.serviceWorker.register('/push-worker.js', { scope: '/push/' }).then(() => {})"
SHOWN = """
navigator.serviceWorker.getRegistration('/push/')
    .then((registration) => registration.getNotifications())
    .then((shown) => shown.map(({ title, body, data }) => [title, body, data.link]))
"""


async def registered(protocol: CDPSession, page: Page) -> str:
    """The worker's number in the browser, once it is at work."""
    number: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def note(event: dict[str, list[dict[str, str]]]) -> None:
        for one in event["registrations"]:
            if one["scopeURL"].endswith("/push/") and not number.done():
                number.set_result(one["registrationId"])

    protocol.on("ServiceWorker.workerRegistrationUpdated", note)
    await protocol.send("ServiceWorker.enable")
    await page.evaluate(REGISTER)
    await page.wait_for_function(
        "navigator.serviceWorker.getRegistration('/push/').then((registration) => Boolean(registration?.active))"
    )
    async with asyncio.timeout(15):
        return await number


@pytest.mark.accept("PROF-05")
async def test_a_push_is_shown_once_per_waiver_and_the_worker_stays_out_of_the_pages_way(
    place: Place, browser: Browser
) -> None:
    context = await browser.new_context(base_url=place.url, viewport=DESKTOP, permissions=["notifications"])
    page = await context.new_page()
    await page.goto("/signin")
    protocol = await context.new_cdp_session(page)
    worker = await registered(protocol, page)

    for _ in range(2):
        await protocol.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": f"{place.url}/", "registrationId": worker, "data": json.dumps(WORDS)},
        )

    # The second takes the place of the first, which is gone for a moment.
    expected = json.dumps([[WORDS["title"], WORDS["message"], WORDS["link"]]], separators=(",", ":"))
    is_all = f"(expected) => {SHOWN.strip()}.then((shown) => JSON.stringify(shown) === expected)"
    await page.wait_for_function(is_all, arg=expected)
    assert await page.evaluate("navigator.serviceWorker.controller") is None
    await context.close()
