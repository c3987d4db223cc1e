"""Checks the access, the title and the accessibility of every page of the dashboard."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from uuid import uuid4

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from tests.e2e.accessibility import axe_violations
from tests.e2e.close_context import close_context
from tests.e2e.commands import run_command
from tests.e2e.company import PASSWORD, Company, open_signed_in, registered_company
from tests.e2e.conftest import DESKTOP, PHONE, Deployment

# This maps the path of each page to its heading.
PAGES = {
    "/dashboard": "Dashboard",
    "/dashboard/waivers": "Add/Edit Waivers",
    "/dashboard/waiver-management": "Waiver Management",
    "/dashboard/settings": "Settings",
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
# The other pages are checked for accessibility in their own tests.
CHECKED_IN_LIGHT_THEME = [
    path for path in PAGES if path not in {"/dashboard/waivers", "/dashboard/profile", "/dashboard/user-profile"}
]
CHECKED_IN_DARK_THEME = [
    "/dashboard",
    "/dashboard/settings",
    "/dashboard/waiver-management",
    "/dashboard/help/documentation",
]


@pytest.fixture
def company(deployment: Deployment) -> Iterator[Company]:
    with registered_company(deployment.server) as company:
        company.sign_as_guest(company.send_to("Ana Ortiz"), "Ana Ortiz")
        company.send_to("Bo Lind")
        yield company


@pytest.mark.accept("ROUTE-18", "ROUTE-20", "ROUTE-21")
async def test_every_page_of_the_dashboard_requires_a_company(
    deployment: Deployment, company: Company, desktop: Page
) -> None:
    for path in PAGES:
        await desktop.goto(path)
        await expect(desktop).to_have_url(f"{deployment.url}/signin")
    await sign_up_as_guest(deployment, desktop)
    for path in PAGES:
        await desktop.goto(path)
        await expect(desktop).to_have_url(f"{deployment.url}/guest-dashboard")
    await desktop.evaluate("localStorage.clear()")
    await open_signed_in(desktop, company, "/dashboard")
    for path, title in PAGES.items():
        response = await desktop.goto(path)
        assert response is not None
        assert response.status == 200
        await expect(desktop.get_by_role("heading", level=1, name=title)).to_be_visible()
        if path == "/dashboard/settings":
            await expect(desktop.get_by_role("heading", name="Billing & Payment")).to_be_visible()


async def sign_up_as_guest(deployment: Deployment, page: Page) -> None:
    account = {"email": f"gil.{uuid4().hex}@example.com", "password": PASSWORD, "data": {"role": "customer"}}
    response = await page.request.post("/auth/v1/signup", data=account, headers={"apikey": deployment.server.anon_key})
    session = json.dumps(json.dumps(await response.json()))
    await page.evaluate(f"localStorage.setItem('sb-cairn-auth-token', {session})")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_dashboard_pages_have_no_accessibility_violations(
    deployment: Deployment, company: Company, browser: Browser, screen: ViewportSize, scheme: Literal["light", "dark"]
) -> None:
    context = await browser.new_context(
        base_url=deployment.url, viewport=screen, color_scheme=scheme, service_workers="block"
    )
    page = await context.new_page()
    violations: dict[str, list[str]] = {}
    await open_signed_in(page, company, "/dashboard")
    # The toast could appear during a check, and its colors are wrong while it fades in. So it is dismissed first.
    await page.get_by_text("Welcome to Your 7-Day Free Trial!", exact=True).wait_for()
    await page.get_by_role("button", name="Dismiss").click()
    for path in CHECKED_IN_LIGHT_THEME if scheme == "light" else CHECKED_IN_DARK_THEME:
        await page.goto(path)
        await expect(page.get_by_role("heading", level=1, name=PAGES[path])).to_be_visible()
        if path in {"/dashboard", "/dashboard/waiver-management"}:
            await expect(page.get_by_role("table")).to_contain_text("Ana Ortiz")
        violations[path] = await axe_violations(page)
    violations["search dialog"] = await axe_violations_in_search_dialog(page)
    assert {path: page_violations for path, page_violations in violations.items() if page_violations} == {}
    await close_context(context)


async def axe_violations_in_search_dialog(page: Page) -> list[str]:
    await page.goto("/dashboard/waiver-management")
    await page.get_by_role("checkbox", name="Select all shown").check()
    await page.get_by_role("button", name="Find a guest or a page").click()
    await page.get_by_role("combobox", name="Find a guest or a page").fill("ana")
    await expect(page.get_by_role("dialog")).to_contain_text("Ana Ortiz")
    return await axe_violations(page)


@pytest.mark.accept("SHELL-06")
async def test_on_a_phone_a_button_opens_the_sidebar(company: Company, phone: Page) -> None:
    await open_signed_in(phone, company, "/dashboard")
    menu = phone.get_by_role("navigation", name="Main")
    await expect(menu).to_be_hidden()

    await phone.get_by_role("button", name="Open menu").click()
    await menu.get_by_role("button", name="Connect").click()
    await menu.get_by_role("link", name="API Connections").click()

    await expect(phone.get_by_role("heading", level=1, name="API Connections")).to_be_visible()
    await expect(menu).to_be_hidden()
    assert await phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.accept("ROUTE-25")
async def test_the_api_examples_run(
    deployment: Deployment, company: Company, desktop: Page, root: Path, tmp_path: Path
) -> None:
    await open_signed_in(desktop, company, "/dashboard/settings/api-connections")
    assert await example_text(desktop, "Service address") == deployment.url
    assert await example_text(desktop, "Public anonymous key") == deployment.server.anon_key
    environment = {**os.environ, "CAIRN_EMAIL": company.email, "CAIRN_PASSWORD": PASSWORD}

    curl = await run_command(["bash", "-c", await example_text(desktop, "curl")], environment)
    [waiver] = json.loads(curl)
    assert waiver["signer_name"] == "Ana Ortiz"

    # The example listens until it is stopped. The changed example exits once it is subscribed.
    program = (await example_text(desktop, "JavaScript")).replace(
        "console.log(status)", "(console.log(status), process.exit())"
    )
    (tmp_path / "node_modules").symlink_to(root / "web" / "node_modules")
    (tmp_path / "example.mjs").write_text(program)
    waivers, status = (await run_command(["node", str(tmp_path / "example.mjs")], environment)).splitlines()
    assert json.loads(waivers) == [waiver]
    assert status == "SUBSCRIBED"


async def example_text(page: Page, label: str) -> str:
    return await page.locator("pre").and_(page.get_by_label(label, exact=True)).inner_text()
