"""A company connects its own server and a Zap, and both hear of the next signature."""

import asyncio
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.e2e.accessible import complaints
from tests.e2e.company import Company, enter, open_company
from tests.e2e.conftest import PHONE, Place
from tests.integrations.receiver import Received, Receiver

WEBHOOKS = "/dashboard/settings/webhooks"
ZAPIER = "/dashboard/settings/zapier"


@pytest.fixture
def company(place: Place) -> Iterator[Company]:
    with open_company(place.served) as opened:
        yield opened


@pytest.mark.accept("ROUTE-22", "ROUTE-23")
async def test_a_companys_server_and_its_zap_hear_of_each_new_signature(
    place: Place, company: Company, desktop: Page, tmp_path: Path
) -> None:
    for page in (WEBHOOKS, ZAPIER):
        await desktop.goto(page)
        await expect(desktop).to_have_url(f"{place.url}/signin")
    company.signs(company.send("Ana Ortiz"), "Ana Ortiz")
    secret = await connect_a_server(company, desktop, place.hooks)
    await send_a_test(desktop, place.hooks, secret)

    place.hooks.otherwise = 500
    company.signs(company.send("Bo Lind"), "Bo Lind")
    await see_it_fail_and_send_it_again(desktop, place.hooks)
    await connect_a_zap(desktop, place.hooks)
    company.signs(company.send("Cleo Ruiz"), "Cleo Ruiz")

    told = await both(place.hooks)
    assert told["server"].is_signed_with(secret)
    assert await the_sample_agrees(desktop, told["server"], secret, tmp_path)
    assert told["server"].told["data"]["signer_name"] == told["zap"].told["signer_name"] == "Cleo Ruiz"
    assert "Ana Ortiz" not in str(place.hooks.received), "what was signed before is not news"
    await disconnect(desktop)


async def connect_a_server(company: Company, desktop: Page, hooks: Receiver) -> str:
    await enter(desktop, company, WEBHOOKS)
    await expect(desktop.get_by_role("heading", level=1, name="Webhooks")).to_be_visible()
    await desktop.get_by_role("button", name="Add address").click()
    dialog = desktop.get_by_role("dialog", name="Add a webhook address")
    await dialog.get_by_label("Address").fill("http://booking.example.com/")
    await dialog.get_by_role("button", name="Add address").click()
    await expect(dialog.get_by_role("alert")).to_have_text("Please enter an address with https://")
    await dialog.get_by_label("Address").fill("https://192.168.1.1/")
    await dialog.get_by_role("button", name="Add address").click()
    await expect(dialog.get_by_role("alert")).to_have_text(
        "The endpoint must not lead to a private or loopback address."
    )
    await dialog.get_by_label("Address").fill(hooks.url)
    await dialog.get_by_label("Name").fill("Booking system")
    await dialog.get_by_role("button", name="Add address").click()
    shown = desktop.get_by_role("dialog", name="Your signing secret")
    secret = await shown.get_by_label("Signing secret").inner_text()
    assert await complaints(desktop) == []
    await shown.get_by_role("button", name="Done").click()
    await expect(desktop.get_by_role("region", name="Addresses")).to_contain_text("Active")
    await desktop.reload()
    await expect(desktop.get_by_text("Booking system").first).to_be_visible()
    assert secret not in await desktop.content()
    return secret


async def send_a_test(desktop: Page, hooks: Receiver, secret: str) -> None:
    await desktop.get_by_role("button", name="Send a test to Booking system").click()
    await expect(desktop.get_by_text("Test delivered", exact=True)).to_be_visible()
    assert hooks.received[-1].told["type"] == "webhook.test"
    assert hooks.received[-1].is_signed_with(secret)


async def see_it_fail_and_send_it_again(desktop: Page, hooks: Receiver) -> None:
    newest = desktop.get_by_role("list", name="Deliveries, newest first").get_by_role("listitem").first
    await expect(newest).to_contain_text("The server answered 500.", timeout=20_000)
    await expect(newest).to_contain_text("Waiver signed")
    hooks.otherwise = 200
    await newest.get_by_role("button", name="Send again").click()
    await expect(newest).to_contain_text("Delivered")


async def connect_a_zap(desktop: Page, hooks: Receiver) -> None:
    await desktop.goto(ZAPIER)
    await desktop.get_by_role("button", name="Connect a Zap").click()
    dialog = desktop.get_by_role("dialog", name="Connect a Zap")
    await dialog.get_by_label("Webhook URL from Zapier").fill("https://hooks.example.com/catch/")
    await dialog.get_by_role("button", name="Connect a Zap").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("The address of a Zapier hook starts with")
    await dialog.get_by_label("Webhook URL from Zapier").fill(hooks.at("/hooks/catch/1/a/"))
    await dialog.get_by_label("Name").fill("Crew sheet")
    await dialog.get_by_role("button", name="Connect a Zap").click()
    await expect(dialog).to_be_hidden()
    await desktop.get_by_role("button", name="Send a test to Crew sheet").click()
    newest = desktop.get_by_role("list", name="Deliveries, newest first").get_by_role("listitem").first
    await expect(newest).to_contain_text("TestDelivered")


async def both(hooks: Receiver) -> dict[str, Received]:
    """What each of the two was told last."""
    async with asyncio.timeout(15):
        while True:
            last = {"zap" if "catch" in post.path else "server": post for post in hooks.received}
            if all(post.told["type"] == "waiver.signed" and b"Cleo" in post.body for post in last.values()):
                return last
            await asyncio.sleep(0.02)


async def the_sample_agrees(desktop: Page, post: Received, secret: str, folder: Path) -> bool:
    """The code on the page, as it stands, believes this post and no other."""
    await desktop.goto(WEBHOOKS)
    sample = await desktop.locator("pre").and_(desktop.get_by_label("Node.js", exact=True)).inner_text()
    given = json.dumps([post.headers, post.body.decode(), secret])
    asks = f"const [h, b, s] = {given}; console.log(isFromCairn(h, b, s), isFromCairn(h, b + ' ', s));"
    (folder / "sample.mjs").write_text(f"{sample}\n{asks}")
    done = await asyncio.to_thread(
        subprocess.run, ["node", str(folder / "sample.mjs")], capture_output=True, text=True, check=True, timeout=30
    )
    return done.stdout.split() == ["true", "false"]


async def disconnect(desktop: Page) -> None:
    await desktop.set_viewport_size(PHONE)
    assert await complaints(desktop) == []
    for page in (WEBHOOKS, ZAPIER):
        if page not in desktop.url:
            await desktop.goto(page)
        await expect(desktop.get_by_role("listitem").filter(has_text="Waiver signedDelivered").first).to_be_visible()
        assert await desktop.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await desktop.get_by_role("button", name="More for Crew sheet").click()
    await desktop.get_by_role("menuitem", name="Pause").click()
    await expect(desktop.get_by_role("button", name="Send a test to Crew sheet")).to_be_disabled()
    await desktop.get_by_role("button", name="More for Crew sheet").click()
    await desktop.get_by_role("menuitem", name="Disconnect").click()
    await desktop.get_by_role("dialog").get_by_role("button", name="Disconnect").click()
    await expect(desktop.get_by_text("No Zap connected yet")).to_be_visible()
