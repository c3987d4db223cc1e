"""Without a network the app shows its copies on the device, labels them as copies, and loses no input."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.account_forms import sign_in
from tests.e2e.close_context import close_context
from tests.e2e.company import (
    PASSWORD,
    Company,
    open_signed_in,
    registered_company,
    wait_for_subscriptions,
    watch_subscriptions,
)
from tests.e2e.conftest import DESKTOP, Deployment
from tests.factories import SAMPLE_TEMPLATE_ID
from tests.serving import free_port, serving
from tests.waiting import PATIENCE_SECONDS

OFFLINE = "You are offline. Nothing can be saved or sent until you are back."
SERVER_DOWN = "The server does not answer. Nothing can be saved or sent until it is back."
COPY_LABEL = "Copy on this device, saved "
NOT_SENT = "No connection, so nothing was sent. What you typed stays here."
SAMPLE_NAME = "General Liability Waiver"
# This function returns true once the service worker is active and the device has copies with these names.
COPIES_ARE_STORED = """async (names) => {
    const worker = await navigator.serviceWorker.getRegistration();
    const databases = await indexedDB.databases();
    if (worker?.active?.state !== 'activated' || databases.length === 0) return false;
    const keys = await new Promise((resolve, reject) => {
        const openRequest = indexedDB.open('cairn-copies');
        openRequest.onerror = reject;
        openRequest.onsuccess = () => {
            const keysRequest = openRequest.result.transaction('answers').objectStore('answers').getAllKeys();
            keysRequest.onsuccess = () => { openRequest.result.close(); resolve(keysRequest.result); };
        };
    });
    return names.every((name) => keys.some((key) => key.includes(name)));
}"""
EXPIRE_SESSION = """() => {
    const session = JSON.parse(localStorage.getItem('sb-cairn-auth-token'));
    localStorage.setItem('sb-cairn-auth-token', JSON.stringify({ ...session, expires_at: 1 }));
}"""
DASHBOARD_COPY_NAMES = ["account", "overview", "templates", "sent-waivers", "directory"]
COUNT_DATABASES_AND_KEYS = "indexedDB.databases().then((databases) => [databases.length, localStorage.length])"


@contextmanager
def company_with_sent_waivers(deployment: Deployment, *guests: str) -> Iterator[Company]:
    with registered_company(deployment.server) as company:
        for guest in guests:
            record_sending(company, guest)
        yield company


@pytest.mark.accept("ROUTE-09")
async def test_the_app_opens_without_a_network_and_is_current_again_when_online(
    deployment: Deployment, desktop_with_service_worker: Page
) -> None:
    desktop = desktop_with_service_worker
    with company_with_sent_waivers(deployment, "Bo Lind") as rosa, registered_company(deployment.server) as mallory:
        await sign_in(desktop, rosa.email)
        await desktop.wait_for_url("**/dashboard")
        await wait_for_copies(desktop, DASHBOARD_COPY_NAMES)

        await desktop.context.set_offline(True)
        await expect_copies(desktop)
        await expect_send_fails(desktop)

        subscriptions = watch_subscriptions(desktop)
        await desktop.context.set_offline(False)
        await expect_online_again(desktop, rosa, subscriptions)
        await sign_out_and_expect_empty_storage(desktop)

        await sign_in(desktop, mallory.email)
        await desktop.wait_for_url("**/dashboard")
        await wait_for_copies(desktop, DASHBOARD_COPY_NAMES)
        await desktop.context.set_offline(True)
        await desktop.goto("/dashboard/waiver-management")
        await expect(desktop.get_by_text(COPY_LABEL)).to_be_visible()
        await expect(desktop.get_by_role("heading", name="No waivers found.")).to_be_visible()


async def test_a_guest_sees_their_waivers_without_a_network(deployment: Deployment, phone: Page) -> None:
    account = {"email": f"gil.{uuid4().hex}@example.com", "password": PASSWORD, "data": {"role": "customer"}}
    await phone.goto("/signin")
    response = await phone.request.post("/auth/v1/signup", data=account, headers={"apikey": deployment.server.anon_key})
    await phone.evaluate("(session) => localStorage.setItem('sb-cairn-auth-token', session)", await response.text())
    await phone.goto("/guest-dashboard")
    await wait_for_copies(phone, ["account", "my-waivers"])

    await phone.context.set_offline(True)
    await phone.reload()

    await expect(phone.get_by_role("heading", name="My Waivers")).to_be_visible()
    await expect(phone.get_by_text(OFFLINE)).to_be_visible()
    await expect(phone.get_by_text(COPY_LABEL)).to_be_visible()


async def test_copies_are_shown_while_the_server_is_down(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    context = await browser.new_context(base_url=f"http://127.0.0.1:{port}", viewport=DESKTOP)
    page = await context.new_page()
    with ExitStack() as stack:
        server = stack.enter_context(serving(tmp_path, port=port))
        company = stack.enter_context(registered_company(server))
        record_sending(company, "Bo Lind")
        await open_signed_in(page, company, "/dashboard")
        await wait_for_copies(page, DASHBOARD_COPY_NAMES)

        assert server.interrupt() == 0
        # The session needs a refresh, which is not possible now.
        await page.evaluate(EXPIRE_SESSION)
        await page.goto("/dashboard/waivers")
        await expect(page.get_by_text(SERVER_DOWN)).to_be_visible()
        await expect(page.get_by_role("heading", name=SAMPLE_NAME)).to_be_visible()
        await expect(page.get_by_role("region", name="Recently sent")).to_contain_text(COPY_LABEL)

        stack.enter_context(serving(tmp_path, port=port))
        await expect(page.get_by_text(SERVER_DOWN)).to_be_hidden()
        await expect(page.get_by_text(COPY_LABEL)).to_have_count(0)
        record_sending(company, "Cy Vance")
        await page.get_by_role("link", name="Waiver Management").click()
        # The server has just started, and its first responses may be slow.
        await expect(page.get_by_role("table", name="Waivers")).to_contain_text("Cy Vance")
    await close_context(context)


async def wait_for_copies(page: Page, names: list[str]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            if await page.evaluate(COPIES_ARE_STORED, names):
                return
            await asyncio.sleep(0.05)


async def expect_copies(page: Page) -> None:
    await expect(page.get_by_text(OFFLINE)).to_be_visible()
    await page.reload()
    await expect(page.get_by_text(OFFLINE)).to_be_visible()
    await expect(page.get_by_text(COPY_LABEL)).to_be_visible()
    await expect(page.get_by_role("table", name="Recent Waivers")).to_contain_text("Bo Lind")
    await page.get_by_role("link", name="Waiver Management").click()
    await expect(page.get_by_text(COPY_LABEL)).to_be_visible()
    await expect(page.get_by_role("table", name="Waivers")).to_contain_text("Bo Lind")
    await page.get_by_role("link", name="Add/Edit Waivers").click()
    await expect(page.get_by_role("heading", name=SAMPLE_NAME)).to_be_visible()
    await expect(page.get_by_text(COPY_LABEL)).to_have_count(2)
    recently_sent = page.get_by_role("region", name="Recently sent")
    await expect(recently_sent).to_contain_text(COPY_LABEL)
    await expect(recently_sent).to_contain_text("Bo Lind")
    await expect(page.get_by_role("listitem").filter(has_text="Error")).to_have_count(0)


async def expect_send_fails(page: Page) -> None:
    await page.get_by_role("button", name=f"Send {SAMPLE_NAME}").click()
    await page.get_by_label("First Name").fill("Cy")
    await page.get_by_label("Last Name").fill("Vance")
    await page.get_by_label("Recipient Email").fill("cy@example.com")
    await page.get_by_role("button", name="Send Waiver").click()
    await expect(page.get_by_text(NOT_SENT)).to_be_visible()


async def expect_online_again(page: Page, company: Company, subscriptions: asyncio.Event) -> None:
    """Expects that, without a reload, new signatures appear and the waiver can be sent."""
    await expect(page.get_by_text(OFFLINE)).to_be_hidden()
    await expect(page.get_by_text(COPY_LABEL)).to_have_count(0)
    await wait_for_subscriptions(subscriptions)
    company.sign_as_guest(company.send_to("Dee Park"), "Dee Park")
    await expect(page.get_by_text(f"Dee Park has signed a waiver: {SAMPLE_NAME}").first).to_be_visible()
    await expect(page.get_by_label("Recipient Email")).to_have_value("cy@example.com")
    await page.get_by_role("button", name="Send Waiver").click()
    await page.wait_for_url("**/sent-waivers")
    await page.goto("/dashboard/waivers")
    await expect(page.get_by_role("region", name="Recently sent")).to_contain_text("Cy Vance")


async def sign_out_and_expect_empty_storage(page: Page) -> None:
    await page.get_by_role("button", name="Account").click()
    await page.get_by_role("menuitem", name="Log out").click()
    await page.wait_for_url("**/#signed-out")
    assert await page.evaluate(COUNT_DATABASES_AND_KEYS) == [0, 0]


def record_sending(company: Company, name: str) -> None:
    email = f"{name.split(maxsplit=1)[0].lower()}@example.com"
    row = {
        "session_id": company.send_to(name), "template_id": SAMPLE_TEMPLATE_ID, "template_name": SAMPLE_NAME,
        "template_content": "…", "recipient_name": name, "recipient_email": email,
        "status": "pending", "sent_as_pdf": False,
    }  # fmt: skip
    company.client.post("/rest/v1/sent_waivers", json=row, headers=company.headers).raise_for_status()
