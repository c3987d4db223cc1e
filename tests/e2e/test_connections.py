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
    place: Place, company: Company, desk: Page, tmp_path: Path
) -> None:
    for page in (WEBHOOKS, ZAPIER):
        await desk.goto(page)
        await expect(desk).to_have_url(f"{place.url}/signin")
    company.signs(company.send("Ana Ortiz"), "Ana Ortiz")
    secret = await connect_a_server(company, desk, place.hooks)
    await send_a_test(desk, place.hooks, secret)

    place.hooks.otherwise = 500
    company.signs(company.send("Bo Lind"), "Bo Lind")
    await see_it_fail_and_send_it_again(desk, place.hooks)
    await connect_a_zap(desk, place.hooks)
    company.signs(company.send("Cleo Ruiz"), "Cleo Ruiz")

    told = await both(place.hooks)
    assert told["server"].is_signed_with(secret)
    assert await the_sample_agrees(desk, told["server"], secret, tmp_path)
    assert told["server"].told["data"]["signer_name"] == told["zap"].told["signer_name"] == "Cleo Ruiz"
    assert "Ana Ortiz" not in str(place.hooks.received), "what was signed before is not news"
    await disconnect(desk)


async def connect_a_server(company: Company, desk: Page, hooks: Receiver) -> str:
    await enter(desk, company, WEBHOOKS)
    await expect(desk.get_by_role("heading", level=1, name="Webhooks")).to_be_visible()
    await desk.get_by_role("button", name="Add address").click()
    dialog = desk.get_by_role("dialog", name="Add a webhook address")
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
    shown = desk.get_by_role("dialog", name="Your signing secret")
    secret = await shown.get_by_label("Signing secret").inner_text()
    assert await complaints(desk) == []
    await shown.get_by_role("button", name="Done").click()
    await expect(desk.get_by_role("region", name="Addresses")).to_contain_text("Active")
    await desk.reload()
    await expect(desk.get_by_text("Booking system").first).to_be_visible()
    assert secret not in await desk.content()
    return secret


async def send_a_test(desk: Page, hooks: Receiver, secret: str) -> None:
    await desk.get_by_role("button", name="Send a test to Booking system").click()
    await expect(desk.get_by_text("Test delivered", exact=True)).to_be_visible()
    assert hooks.received[-1].told["type"] == "webhook.test"
    assert hooks.received[-1].is_signed_with(secret)


async def see_it_fail_and_send_it_again(desk: Page, hooks: Receiver) -> None:
    newest = desk.get_by_role("list", name="Deliveries, newest first").get_by_role("listitem").first
    await expect(newest).to_contain_text("The server answered 500.", timeout=20_000)
    await expect(newest).to_contain_text("Waiver signed")
    hooks.otherwise = 200
    await newest.get_by_role("button", name="Send again").click()
    await expect(newest).to_contain_text("Delivered")


async def connect_a_zap(desk: Page, hooks: Receiver) -> None:
    await desk.goto(ZAPIER)
    await desk.get_by_role("button", name="Connect a Zap").click()
    dialog = desk.get_by_role("dialog", name="Connect a Zap")
    await dialog.get_by_label("Webhook URL from Zapier").fill("https://hooks.example.com/catch/")
    await dialog.get_by_role("button", name="Connect a Zap").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("The address of a Zapier hook starts with")
    await dialog.get_by_label("Webhook URL from Zapier").fill(hooks.at("/hooks/catch/1/a/"))
    await dialog.get_by_label("Name").fill("Crew sheet")
    await dialog.get_by_role("button", name="Connect a Zap").click()
    await expect(dialog).to_be_hidden()
    await desk.get_by_role("button", name="Send a test to Crew sheet").click()
    newest = desk.get_by_role("list", name="Deliveries, newest first").get_by_role("listitem").first
    await expect(newest).to_contain_text("TestDelivered")


async def both(hooks: Receiver) -> dict[str, Received]:
    """What each of the two was told last."""
    async with asyncio.timeout(15):
        while True:
            last = {"zap" if "catch" in post.path else "server": post for post in hooks.received}
            if all(post.told["type"] == "waiver.signed" and b"Cleo" in post.body for post in last.values()):
                return last
            await asyncio.sleep(0.02)


async def the_sample_agrees(desk: Page, post: Received, secret: str, folder: Path) -> bool:
    """The code on the page, as it stands, believes this post and no other."""
    await desk.goto(WEBHOOKS)
    sample = await desk.locator("pre").and_(desk.get_by_label("Node.js", exact=True)).inner_text()
    given = json.dumps([post.headers, post.body.decode(), secret])
    asks = f"const [h, b, s] = {given}; console.log(isFromCairn(h, b, s), isFromCairn(h, b + ' ', s));"
    (folder / "sample.mjs").write_text(f"{sample}\n{asks}")
    done = await asyncio.to_thread(
        subprocess.run, ["node", str(folder / "sample.mjs")], capture_output=True, text=True, check=True, timeout=30
    )
    return done.stdout.split() == ["true", "false"]


async def disconnect(desk: Page) -> None:
    await desk.set_viewport_size(PHONE)
    assert await complaints(desk) == []
    for page in (WEBHOOKS, ZAPIER):
        if page not in desk.url:
            await desk.goto(page)
        await expect(desk.get_by_role("listitem").filter(has_text="Waiver signedDelivered").first).to_be_visible()
        assert await desk.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await desk.get_by_role("button", name="More for Crew sheet").click()
    await desk.get_by_role("menuitem", name="Pause").click()
    await expect(desk.get_by_role("button", name="Send a test to Crew sheet")).to_be_disabled()
    await desk.get_by_role("button", name="More for Crew sheet").click()
    await desk.get_by_role("menuitem", name="Disconnect").click()
    await desk.get_by_role("dialog").get_by_role("button", name="Disconnect").click()
    await expect(desk.get_by_text("No Zap connected yet")).to_be_visible()
