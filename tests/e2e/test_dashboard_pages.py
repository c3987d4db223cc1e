"""Every room of the company: who may enter, what stands over the door, and that everybody can use it."""

import asyncio
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from uuid import uuid4

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from tests.e2e.accessible import complaints
from tests.e2e.company import PASSWORD, Company, enter, open_company
from tests.e2e.conftest import DESKTOP, PHONE, Place

ROOMS = {
    "/dashboard": "Dashboard",
    "/dashboard/waivers": "Add/Edit Waivers",
    "/dashboard/waiver-management": "Waiver Management",
    "/dashboard/settings": "Billing & Payment",
    "/dashboard/settings/billing": "Billing & Payment",
    "/dashboard/profile": "Account Settings",
    "/dashboard/user-profile": "Account Settings",
    "/dashboard/settings/webhooks": "Webhooks",
    "/dashboard/settings/zapier": "Zapier",
    "/dashboard/settings/html-embed": "HTML Embedding",
    "/dashboard/settings/api-connections": "API Connections",
    "/dashboard/help/documentation": "Documentation",
    "/dashboard/help/support": "Contact Support",
    "/dashboard/help/tutorials": "Tutorials",
}
# Those whose looks are this story's business.
OURS = [room for room in ROOMS if room not in {"/dashboard/waivers", "/dashboard/profile", "/dashboard/user-profile"}]
ONE_OF_EACH_KIND = ["/dashboard", "/dashboard/waiver-management", "/dashboard/help/documentation"]


@pytest.fixture
def company(place: Place) -> Iterator[Company]:
    with open_company(place.served) as opened:
        opened.signs(opened.send("Ana Ortiz"), "Ana Ortiz")
        opened.send("Bo Lind")
        yield opened


@pytest.mark.accept("ROUTE-18", "ROUTE-20", "ROUTE-21")
async def test_every_room_is_the_companys_alone(place: Place, company: Company, desktop: Page) -> None:
    for room in ROOMS:
        await desktop.goto(room)
        await expect(desktop).to_have_url(f"{place.url}/signin")
    await sign_up_as_guest(place, desktop)
    for room in ROOMS:
        await desktop.goto(room)
        await expect(desktop).to_have_url(f"{place.url}/guest-dashboard")
    await desktop.evaluate("localStorage.clear()")
    await enter(desktop, company, "/dashboard")
    for room, title in ROOMS.items():
        answer = await desktop.goto(room)
        assert answer is not None
        assert answer.status == 200
        await expect(desktop.get_by_role("heading", level=1, name=title)).to_be_visible()


async def sign_up_as_guest(place: Place, page: Page) -> None:
    account = {"email": f"gil.{uuid4().hex}@example.com", "password": PASSWORD, "data": {"role": "customer"}}
    made = await page.request.post("/auth/v1/signup", data=account, headers={"apikey": place.served.anon_key})
    stored = json.dumps(json.dumps(await made.json()))
    await page.evaluate(f"localStorage.setItem('sb-cairn-auth-token', {stored})")


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_everybody_can_use_them(
    place: Place, company: Company, browser: Browser, screen: ViewportSize, light: Literal["light", "dark"]
) -> None:
    context = await browser.new_context(base_url=place.url, viewport=screen, color_scheme=light)
    page = await context.new_page()
    found: dict[str, list[str]] = {}
    await enter(page, company, "/dashboard")
    # It fades in when it likes, and what fades has not its own colours yet.
    await page.get_by_text("Welcome to Your 7-Day Free Trial!", exact=True).wait_for()
    await page.get_by_role("button", name="Dismiss").click()
    for room in OURS if light == "light" else ONE_OF_EACH_KIND:
        await page.goto(room)
        await expect(page.get_by_role("heading", level=1, name=ROOMS[room])).to_be_visible()
        if room in {"/dashboard", "/dashboard/waiver-management"}:
            await expect(page.get_by_role("table")).to_contain_text("Ana Ortiz")
        found[room] = await complaints(page)
    found["palette"] = await with_the_palette_open(page)
    assert {room: words for room, words in found.items() if words} == {}
    await context.close()


async def with_the_palette_open(page: Page) -> list[str]:
    await page.goto("/dashboard/waiver-management")
    await page.get_by_role("checkbox", name="Select all shown").check()
    await page.get_by_role("button", name="Find a guest or a page").click()
    await page.get_by_role("combobox", name="Find a guest or a page").fill("ana")
    await expect(page.get_by_role("dialog")).to_contain_text("Ana Ortiz")
    return await complaints(page)


@pytest.mark.accept("SHELL-06")
async def test_on_a_phone_the_sidebar_is_behind_a_button(company: Company, phone: Page) -> None:
    await enter(phone, company, "/dashboard")
    menu = phone.get_by_role("navigation", name="Main")
    await expect(menu).to_be_hidden()

    await phone.get_by_role("button", name="Open menu").click()
    await menu.get_by_role("button", name="Connect").click()
    await menu.get_by_role("link", name="API Connections").click()

    await expect(phone.get_by_role("heading", level=1, name="API Connections")).to_be_visible()
    await expect(menu).to_be_hidden()
    assert await phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.accept("ROUTE-25")
async def test_the_examples_work_as_they_stand(
    place: Place, company: Company, desktop: Page, root: Path, tmp_path: Path
) -> None:
    await enter(desktop, company, "/dashboard/settings/api-connections")
    assert await sample(desktop, "Service address") == place.url
    assert await sample(desktop, "Public anonymous key") == place.served.anon_key
    account = {**os.environ, "CAIRN_EMAIL": company.email, "CAIRN_PASSWORD": PASSWORD}

    curl = await run(["bash", "-c", await sample(desktop, "curl")], account)
    [waiver] = json.loads(curl)
    assert waiver["signer_name"] == "Ana Ortiz"

    # It listens until it is stopped; here it stops as soon as it hears that it may listen.
    program = (await sample(desktop, "JavaScript")).replace(
        "console.log(status)", "(console.log(status), process.exit())"
    )
    (tmp_path / "node_modules").symlink_to(root / "web" / "node_modules")
    (tmp_path / "example.mjs").write_text(program)
    listed, status = (await run(["node", str(tmp_path / "example.mjs")], account)).splitlines()
    assert json.loads(listed) == [waiver]
    assert status == "SUBSCRIBED"


async def sample(page: Page, label: str) -> str:
    return await page.locator("pre").and_(page.get_by_label(label, exact=True)).inner_text()


async def run(command: list[str], environment: dict[str, str]) -> str:
    done = await asyncio.to_thread(
        subprocess.run, command, env=environment, capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
