"""In a real browser, the content security policy of each page allows what the page needs and nothing else."""

import pytest
from playwright.async_api import Browser, Page

from tests.e2e.company import Company, open_signed_in, wait_for_subscriptions, watch_subscriptions
from tests.e2e.conftest import Deployment
from tests.e2e.public_pages import PLAIN_PAGES, SCRIPTED_PAGES

DASHBOARD_PAGES = ["/dashboard/waivers", "/dashboard/waiver-management", "/dashboard/settings", "/dashboard/profile"]
CONNECT_ELSEWHERE = """(url) => new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", (violation) => resolve(violation.effectiveDirective));
    try { new WebSocket(url); } catch { resolve("connect-src"); }
})"""


async def record_violations(page: Page) -> list[str]:
    """Returns a list to which each violation is added, with the page and the rule."""
    violations: list[str] = []
    await page.expose_function("recordViolation", lambda violation: violations.append(violation))  # noqa: PLW0108 - not a built-in
    await page.add_init_script(
        """document.addEventListener("securitypolicyviolation", (violation) =>
            recordViolation(`${violation.documentURI}: ${violation.violatedDirective} ${violation.blockedURI}`))"""
    )
    return violations


async def test_public_pages_violate_no_policy(desktop: Page) -> None:
    violations = await record_violations(desktop)

    for path in (*PLAIN_PAGES, *SCRIPTED_PAGES, "/unknown"):
        await desktop.goto(path, wait_until="networkidle")

    assert violations == []


async def test_the_dashboard_and_the_signing_page_violate_no_policy(
    company: Company, desktop_with_service_worker: Page
) -> None:
    desktop = desktop_with_service_worker
    violations = await record_violations(desktop)
    subscriptions = watch_subscriptions(desktop)

    await open_signed_in(desktop, company, "/dashboard")
    # Live updates use a websocket, and the service worker fetches the files of the app. Both need `connect-src`.
    await wait_for_subscriptions(subscriptions)
    await desktop.evaluate("navigator.serviceWorker.ready.then(() => caches.keys())")
    for path in (*DASHBOARD_PAGES, f"/waivers/sign/session/{company.send_to('Ana Ortiz')}"):
        await desktop.goto(path)
        await desktop.locator("h1").first.wait_for()

    assert violations == []


@pytest.mark.accept("SAFE-25")
async def test_a_page_cannot_connect_to_another_server(browser: Browser, deployment: Deployment) -> None:
    # The fixture `desktop` fails on each violation, so this test opens a page of its own.
    page = await browser.new_page(base_url=deployment.url)
    await page.goto("/signin")

    for url in ("ws://127.0.0.1:9", "wss://evil.example/steal"):
        assert await page.evaluate(CONNECT_ELSEWHERE, url) == "connect-src"
    await page.close()
