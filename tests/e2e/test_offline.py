"""The network goes, the app stays: what the device has kept is shown and said to be that, and nothing is lost."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.company import PASSWORD, Company, all_ears, enter, listening, open_company
from tests.e2e.conftest import DESKTOP, Place
from tests.make import SAMPLE
from tests.serving import free_port, serving

OFFLINE = "You are offline. Nothing can be saved or sent until you are back."
SILENT = "The server does not answer. Nothing can be saved or sent until it is back."
COPY = "Copy on this device, saved "
UNSENT = "No connection, so nothing was sent. What you typed stays here."
SAMPLE_NAME = "General Liability Waiver"
# The worker has kept the app, and what the app needs of the data was kept before.
READY = """async (wanted) => {
    const worker = await navigator.serviceWorker.getRegistration();
    const databases = await indexedDB.databases();
    if (worker?.active?.state !== 'activated' || databases.length === 0) return false;
    const kept = await new Promise((resolve, reject) => {
        const asked = indexedDB.open('cairn-copies');
        asked.onerror = reject;
        asked.onsuccess = () => {
            const keys = asked.result.transaction('answers').objectStore('answers').getAllKeys();
            keys.onsuccess = () => { asked.result.close(); resolve(keys.result); };
        };
    });
    return wanted.every((name) => kept.some((key) => key.includes(name)));
}"""
EXPIRED = """() => {
    const session = JSON.parse(localStorage.getItem('sb-cairn-auth-token'));
    localStorage.setItem('sb-cairn-auth-token', JSON.stringify({ ...session, expires_at: 1 }));
}"""
DESKTOP_NEEDS = ["account", "overview", "templates", "sent-waivers", "directory"]
LEFT = "indexedDB.databases().then((databases) => [databases.length, localStorage.length])"


@contextmanager
def company_with_records(place: Place, *guests: str) -> Iterator[Company]:
    with open_company(place.served) as company:
        for guest in guests:
            record_sending(company, guest)
        yield company


@pytest.mark.accept("ROUTE-09")
async def test_the_app_opens_from_the_device_and_catches_up(place: Place, desktop: Page) -> None:
    with company_with_records(place, "Bo Lind") as rosa, open_company(place.served) as mallory:
        await sign_in(desktop, rosa)
        await ready(desktop, DESKTOP_NEEDS)

        await desktop.context.set_offline(True)
        await see_the_copies(desktop)
        await cannot_send(desktop)

        line = listening(desktop)
        await desktop.context.set_offline(False)
        await is_live_again(desktop, rosa, line)
        await leaves_nothing_behind(desktop)

        await sign_in(desktop, mallory)
        await ready(desktop, DESKTOP_NEEDS)
        await desktop.context.set_offline(True)
        await desktop.goto("/dashboard/waiver-management")
        await expect(desktop.get_by_text(COPY)).to_be_visible()
        await expect(desktop.get_by_role("heading", name="No waivers found.")).to_be_visible()


async def test_a_guest_finds_their_waivers_without_a_network(place: Place, phone: Page) -> None:
    account = {"email": f"gil.{uuid4().hex}@example.com", "password": PASSWORD, "data": {"role": "customer"}}
    await phone.goto("/signin")
    made = await phone.request.post("/auth/v1/signup", data=account, headers={"apikey": place.served.anon_key})
    await phone.evaluate("(session) => localStorage.setItem('sb-cairn-auth-token', session)", await made.text())
    await phone.goto("/guest-dashboard")
    await ready(phone, ["account", "my-waivers"])

    await phone.context.set_offline(True)
    await phone.reload()

    await expect(phone.get_by_role("heading", name="My Waivers")).to_be_visible()
    await expect(phone.get_by_text(OFFLINE)).to_be_visible()
    await expect(phone.get_by_text(COPY)).to_be_visible()


async def test_a_server_that_stops_leaves_what_the_device_has(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    context = await browser.new_context(base_url=f"http://127.0.0.1:{port}", viewport=DESKTOP)
    page = await context.new_page()
    with ExitStack() as stack:
        served = stack.enter_context(serving(tmp_path, port=port))
        company = stack.enter_context(open_company(served))
        record_sending(company, "Bo Lind")
        await enter(page, company, "/dashboard")
        await ready(page, DESKTOP_NEEDS)

        assert served.interrupt() == 0
        # The session would have to be renewed by now, and cannot be.
        await page.evaluate(EXPIRED)
        await page.goto("/dashboard/waivers")
        await expect(page.get_by_text(SILENT)).to_be_visible()
        await expect(page.get_by_role("heading", name=SAMPLE_NAME)).to_be_visible()
        await expect(page.get_by_role("region", name="Recently sent")).to_contain_text(COPY)

        stack.enter_context(serving(tmp_path, port=port))
        await expect(page.get_by_text(SILENT)).to_be_hidden(timeout=15_000)
        await expect(page.get_by_text(COPY)).to_have_count(0)
        record_sending(company, "Cy Vance")
        await page.get_by_role("link", name="Waiver Management").click()
        await expect(page.get_by_role("table", name="Waivers")).to_contain_text("Cy Vance")
    await context.close()


async def ready(page: Page, needed: list[str]) -> None:
    async with asyncio.timeout(20):
        while True:
            if await page.evaluate(READY, needed):
                return
            await asyncio.sleep(0.05)


async def see_the_copies(page: Page) -> None:
    await expect(page.get_by_text(OFFLINE)).to_be_visible()
    await page.reload()
    await expect(page.get_by_text(OFFLINE)).to_be_visible()
    await expect(page.get_by_text(COPY)).to_be_visible()
    await expect(page.get_by_role("table", name="Recent Waivers")).to_contain_text("Bo Lind")
    await page.get_by_role("link", name="Waiver Management").click()
    await expect(page.get_by_text(COPY)).to_be_visible()
    await expect(page.get_by_role("table", name="Waivers")).to_contain_text("Bo Lind")
    await page.get_by_role("link", name="Add/Edit Waivers").click()
    await expect(page.get_by_role("heading", name=SAMPLE_NAME)).to_be_visible()
    await expect(page.get_by_text(COPY)).to_have_count(2)
    sent = page.get_by_role("region", name="Recently sent")
    await expect(sent).to_contain_text(COPY)
    await expect(sent).to_contain_text("Bo Lind")
    await expect(page.get_by_role("listitem").filter(has_text="Error")).to_have_count(0)


async def cannot_send(page: Page) -> None:
    await page.get_by_role("button", name=f"Send {SAMPLE_NAME}").click()
    await page.get_by_label("First Name").fill("Cy")
    await page.get_by_label("Last Name").fill("Vance")
    await page.get_by_label("Recipient Email").fill("cy@example.com")
    await page.get_by_role("button", name="Send Waiver").click()
    await expect(page.get_by_text(UNSENT)).to_be_visible()


async def is_live_again(page: Page, company: Company, line: asyncio.Event) -> None:
    """Nobody reloads; what happens elsewhere is told, and what was typed is sent."""
    await expect(page.get_by_text(OFFLINE)).to_be_hidden()
    await expect(page.get_by_text(COPY)).to_have_count(0)
    await all_ears(line)
    company.signs(company.send("Dee Park"), "Dee Park")
    await expect(page.get_by_text(f"Dee Park has signed a waiver: {SAMPLE_NAME}").first).to_be_visible()
    await expect(page.get_by_label("Recipient Email")).to_have_value("cy@example.com")
    await page.get_by_role("button", name="Send Waiver").click()
    await page.wait_for_url("**/sent-waivers")
    await page.goto("/dashboard/waivers")
    await expect(page.get_by_role("region", name="Recently sent")).to_contain_text("Cy Vance")


async def leaves_nothing_behind(page: Page) -> None:
    await page.get_by_role("button", name="Account").click()
    await page.get_by_role("menuitem", name="Log out").click()
    await page.wait_for_url("**/#signed-out")
    assert await page.evaluate(LEFT) == [0, 0]


async def sign_in(page: Page, company: Company) -> None:
    await page.goto("/signin")
    await page.get_by_label("Email").fill(company.email)
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await page.wait_for_url("**/dashboard")


def record_sending(company: Company, name: str) -> None:
    email = f"{name.split(maxsplit=1)[0].lower()}@example.com"
    row = {
        "session_id": company.send(name), "template_id": SAMPLE, "template_name": SAMPLE_NAME,
        "template_content": "…", "recipient_name": name, "recipient_email": email,
        "status": "pending", "sent_as_pdf": False,
    }  # fmt: skip
    company.client.post("/rest/v1/sent_waivers", json=row, headers=company.headers).raise_for_status()
