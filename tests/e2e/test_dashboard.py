"""The desktop on a busy day: who is missing, who has just signed, and two windows that agree."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.company import Company, all_ears, enter, listening, open_company
from tests.e2e.conftest import DESKTOP, Place
from tests.mail_server import plain

NOTIFIER = re.compile("^Notifications")


@pytest.fixture
def company(place: Place) -> Iterator[Company]:
    with open_company(place.served) as opened:
        yield opened


@pytest_asyncio.fixture
async def second(browser: Browser, place: Place) -> AsyncIterator[Page]:
    """Another window of the same company, on another machine."""
    context = await browser.new_context(base_url=place.url, viewport=DESKTOP)
    yield await context.new_page()
    await context.close()


def rows(page: Page) -> Locator:
    return page.get_by_role("table", name="Waivers").locator("tbody tr[data-index]")


async def names(page: Page) -> list[str]:
    return [text.split("\n")[1] for text in await rows(page).all_inner_texts()]


@pytest.mark.accept("MGMT-01", "MGMT-13", "MGMT-09", "SHELL-11")
async def test_a_morning_at_the_desk(company: Company, desktop: Page, place: Place) -> None:
    for guest in ("Ana Ortiz", "Bo Lind", "Noor Haddad"):
        company.send(guest)
    late = company.send("Gil Okafor", "template-photography-release")
    line = listening(desktop)
    await enter(desktop, company, "/dashboard")

    await desktop.get_by_role("link", name="See who is missing").click()
    await expect(rows(desktop)).to_have_count(4)
    search = desktop.get_by_placeholder("Search waivers by name, email, or template...")
    for term, found in {"NOOR": "Noor Haddad", "gil@exa": "Gil Okafor", "photography": "Gil Okafor"}.items():
        await search.fill(term)
        await expect(rows(desktop)).to_have_count(1)
        await expect(rows(desktop)).to_contain_text(found)
    await search.fill("")
    await expect(rows(desktop)).to_have_count(4)
    assert await exported(desktop) == [
        "Template,Recipient,Email,Status,Date",
        *[f"{template},{name},{email},Pending" for template, name, email in [
            ("Photography Release", "Gil Okafor", "gil@example.com"),
            ("General Liability Waiver", "Noor Haddad", "noor@example.com"),
            ("General Liability Waiver", "Bo Lind", "bo@example.com"),
            ("General Liability Waiver", "Ana Ortiz", "ana@example.com"),
        ]],
    ]  # fmt: skip

    await desktop.get_by_role("checkbox", name="Select waiver of Gil Okafor").check()
    await desktop.get_by_role("button", name="Remind 1").click()
    letter = await place.letter("Reminder: please sign Photography Release")
    assert letter["To"] == "gil@example.com"
    assert f"/waivers/sign/session/{late}" in plain(letter)

    await all_ears(line)
    company.signs(late, "Gil Okafor")

    await expect(desktop.get_by_text("Gil Okafor has signed a waiver: Photography Release").first).to_be_visible()
    await expect(rows(desktop)).to_have_count(3)
    await expect(desktop.get_by_text("3 waivers")).to_be_visible()
    await desktop.get_by_role("button", name="Notifications, 1 unread").click()
    listed = desktop.get_by_role("dialog", name="Notifications").get_by_role("list")
    assert await listed.evaluate("(list) => [list.clientHeight, getComputedStyle(list).overflowY]") == [300, "auto"]


async def exported(desktop: Page) -> list[str]:
    """The lines of the file, without the time, which is the reader's own."""
    async with desktop.expect_download() as coming:
        await desktop.get_by_role("button", name="Export CSV").click()
    download = await coming.value
    assert download.suggested_filename == "waivers.csv"
    text = await asyncio.to_thread(Path(await download.path()).read_text, "utf-8-sig")
    return [re.sub(r",\d{4}-\d\d-\d\d \d\d:\d\d$", "", line) for line in text.splitlines()]


@pytest.mark.accept("NOTIF-05")
async def test_two_windows_of_one_company_stay_in_step(company: Company, desktop: Page, second: Page) -> None:
    first = company.send("Ana Ortiz")
    lines = [listening(window) for window in (desktop, second)]
    await asyncio.gather(enter(desktop, company, "/dashboard/waiver-management"), enter(second, company, "/dashboard"))
    await expect(rows(desktop)).to_have_count(1)
    await expect(second.get_by_role("table", name="Recent Waivers")).to_contain_text("Ana Ortiz")

    await all_ears(*lines)
    company.signs(first, "Ana Ortiz")
    for window in (desktop, second):
        await expect(window.get_by_role("button", name="Notifications, 1 unread")).to_be_visible()
    await expect(rows(desktop)).to_contain_text("Signed")

    await second.get_by_role("button", name=NOTIFIER).click()
    await second.get_by_role("button", name="Mark all read").click()
    await expect(desktop.get_by_role("button", name="Notifications", exact=True)).to_be_visible()
    await desktop.get_by_role("button", name=NOTIFIER).click()
    await expect(desktop.get_by_role("dialog", name="Notifications").get_by_role("listitem")).to_have_count(1)
    await second.get_by_role("button", name="Clear all").click()
    await expect(desktop.get_by_role("dialog", name="Notifications")).to_contain_text("Nothing new")
    await write_in_both(desktop, second)


async def write_in_both(desktop: Page, second: Page) -> None:
    """What one writes the other sees; when both write, both are kept."""
    for window in (desktop, second):
        await window.keyboard.press("Escape")
        await window.get_by_role("link", name="Add/Edit Waivers").first.click()
    await desktop.get_by_role("button", name="Create Waiver").click()
    await desktop.get_by_label("Template Name").fill("Gorge trip")
    await desktop.get_by_label("Waiver Content").fill("Rivers are wet.")
    await desktop.get_by_role("button", name="Create Template").click()
    for window in (second, desktop):
        await window.get_by_role("button", name="View Gorge trip").click()
        await window.get_by_role("button", name="Edit").click()
    await second.get_by_label("Waiver Content").fill("Rivers are deep.")

    await desktop.get_by_label("Waiver Content").fill("Rivers are cold.")
    await desktop.get_by_role("button", name="Save Changes").click()

    await expect(second.get_by_text("Version 2 was saved in the meantime.")).to_be_visible()
    await expect(second.get_by_label("Waiver Content")).to_have_value("Rivers are deep.")
    await second.get_by_role("button", name="Save Changes").click()
    await desktop.get_by_role("button", name="View Gorge trip").click()
    await expect(desktop.get_by_role("region", name="Waiver content")).to_have_text("Rivers are deep.")
    await desktop.get_by_role("button", name="Version 3 · History").click()
    await desktop.get_by_role("button", name="Version 2", exact=True).click()
    await expect(desktop.get_by_role("dialog")).to_contain_text("Rivers are cold.")


async def test_a_waiver_sent_in_one_window_is_listed_in_the_other(
    company: Company, desktop: Page, second: Page
) -> None:
    line = listening(second)
    await enter(second, company, "/dashboard/waiver-management")
    await expect(second.get_by_text("No waivers found.")).to_be_visible()
    await all_ears(line)
    await enter(desktop, company, "/dashboard/waivers")

    await desktop.get_by_role("button", name="Send General Liability Waiver").click()
    dialog = desktop.get_by_role("dialog", name="Send Waiver")
    await dialog.get_by_label("First Name").fill("Noor")
    await dialog.get_by_label("Last Name").fill("Haddad")
    await dialog.get_by_label("Recipient Email").fill("noor@example.com")
    await dialog.get_by_role("button", name="Send Waiver").click()

    await expect(rows(second)).to_contain_text("Noor Haddad")


@pytest.mark.accept("DASH-02")
async def test_who_has_not_signed_is_reminded_with_the_link(company: Company, desktop: Page, place: Place) -> None:
    late, done = company.send("Noor Haddad"), company.send("Bo Lind")
    company.signs(done, "Bo Lind")
    await enter(desktop, company, "/dashboard")

    await desktop.get_by_role("button", name="Send Reminders").click()

    told = desktop.get_by_role("region", name=re.compile("Notifications")).get_by_text("Sending reminders", exact=True)
    await expect(told).to_be_visible()
    await expect(desktop.get_by_text("1 reminder is queued.", exact=True)).to_be_visible()
    letter = await place.letter("Reminder: please sign General Liability Waiver")
    assert letter["To"] == "noor@example.com"
    assert f"/waivers/sign/session/{late}" in plain(letter)
    assert not [sent for sent in place.office.emails if sent["To"] == "bo@example.com"]
