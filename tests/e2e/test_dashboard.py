"""The dashboard shows pending waivers and new signatures, and two windows of one company show the same."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.close_context import close_context
from tests.e2e.company import Company, fill_in_recipient, open_signed_in, wait_for_subscriptions, watch_subscriptions
from tests.e2e.conftest import DESKTOP, Deployment
from tests.mail_server import plain_body

NOTIFICATIONS = re.compile("^Notifications")


@pytest_asyncio.fixture
async def other_desktop(browser: Browser, deployment: Deployment) -> AsyncIterator[Page]:
    """Opens a page in a second browser."""
    context = await browser.new_context(base_url=deployment.url, viewport=DESKTOP, service_workers="block")
    yield await context.new_page()
    await close_context(context)


def waiver_rows(page: Page) -> Locator:
    return page.get_by_role("table", name="Waivers").locator("tbody tr[data-index]")


@pytest.mark.accept("MGMT-01", "MGMT-13", "MGMT-09", "SHELL-11")
async def test_a_company_searches_exports_sends_reminders_and_sees_a_new_signature(
    company: Company, desktop: Page, deployment: Deployment
) -> None:
    for guest in ("Ana Ortiz", "Bo Lind", "Noor Haddad"):
        company.send_to(guest)
    pending_session = company.send_to("Gil Okafor", "template-photography-release")
    subscriptions = watch_subscriptions(desktop)
    await open_signed_in(desktop, company, "/dashboard")

    await desktop.get_by_role("link", name="See who is missing").click()
    await expect(waiver_rows(desktop)).to_have_count(4)
    search = desktop.get_by_placeholder("Search waivers by name, email, or template...")
    for term, guest in {"NOOR": "Noor Haddad", "gil@exa": "Gil Okafor", "photography": "Gil Okafor"}.items():
        await search.fill(term)
        await expect(waiver_rows(desktop)).to_have_count(1)
        await expect(waiver_rows(desktop)).to_contain_text(guest)
    await search.fill("")
    await expect(waiver_rows(desktop)).to_have_count(4)
    assert await export_csv(desktop) == [
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
    email = await deployment.wait_for_email("Reminder: please sign Photography Release")
    assert email["To"] == "gil@example.com"
    assert f"/waivers/sign/session/{pending_session}" in plain_body(email)

    await wait_for_subscriptions(subscriptions)
    company.sign_as_guest(pending_session, "Gil Okafor")

    await expect(desktop.get_by_text("Gil Okafor has signed a waiver: Photography Release").first).to_be_visible()
    await expect(waiver_rows(desktop)).to_have_count(3)
    await expect(desktop.get_by_text("3 waivers")).to_be_visible()
    await desktop.get_by_role("button", name="Notifications, 1 unread").click()
    notification_list = desktop.get_by_role("dialog", name="Notifications").get_by_role("list")
    assert await notification_list.evaluate("(list) => [list.clientHeight, getComputedStyle(list).overflowY]") == [
        300,
        "auto",
    ]


async def export_csv(desktop: Page) -> list[str]:
    """Returns the lines of the exported file without the times, which depend on the time zone."""
    async with desktop.expect_download() as download_info:
        await desktop.get_by_role("button", name="Export CSV").click()
    download = await download_info.value
    assert download.suggested_filename == "waivers.csv"
    text = await asyncio.to_thread(Path(await download.path()).read_text, "utf-8-sig")
    return [re.sub(r",\d{4}-\d\d-\d\d \d\d:\d\d$", "", line) for line in text.splitlines()]


@pytest.mark.accept("NOTIF-05")
async def test_two_windows_of_one_company_show_the_same_data(
    company: Company, desktop: Page, other_desktop: Page
) -> None:
    session_id = company.send_to("Ana Ortiz")
    subscriptions = [watch_subscriptions(window) for window in (desktop, other_desktop)]
    await asyncio.gather(
        open_signed_in(desktop, company, "/dashboard/waiver-management"),
        open_signed_in(other_desktop, company, "/dashboard"),
    )
    await expect(waiver_rows(desktop)).to_have_count(1)
    await expect(other_desktop.get_by_role("table", name="Recent Waivers")).to_contain_text("Ana Ortiz")

    await wait_for_subscriptions(*subscriptions)
    company.sign_as_guest(session_id, "Ana Ortiz")
    for window in (desktop, other_desktop):
        await expect(window.get_by_role("button", name="Notifications, 1 unread")).to_be_visible()
    await expect(waiver_rows(desktop)).to_contain_text("Signed")

    await other_desktop.get_by_role("button", name=NOTIFICATIONS).click()
    await other_desktop.get_by_role("button", name="Mark all read").click()
    await expect(desktop.get_by_role("button", name="Notifications", exact=True)).to_be_visible()
    await desktop.get_by_role("button", name=NOTIFICATIONS).click()
    await expect(desktop.get_by_role("dialog", name="Notifications").get_by_role("listitem")).to_have_count(1)
    await other_desktop.get_by_role("button", name="Clear all").click()
    await expect(desktop.get_by_role("dialog", name="Notifications")).to_contain_text("Nothing new")
    await edit_template_in_both_windows(desktop, other_desktop)


async def edit_template_in_both_windows(desktop: Page, other_desktop: Page) -> None:
    """Saves a template in both windows. Each window sees the other's version, and both versions are kept."""
    for window in (desktop, other_desktop):
        await window.keyboard.press("Escape")
        await window.get_by_role("link", name="Add/Edit Waivers").first.click()
    await desktop.get_by_role("button", name="Create Waiver").click()
    await desktop.get_by_label("Template Name").fill("Gorge trip")
    await desktop.get_by_label("Waiver Content").fill("Rivers are wet.")
    await desktop.get_by_role("button", name="Create Template").click()
    for window in (other_desktop, desktop):
        await window.get_by_role("button", name="View Gorge trip").click()
        await window.get_by_role("button", name="Edit").click()
    await other_desktop.get_by_label("Waiver Content").fill("Rivers are deep.")

    await desktop.get_by_label("Waiver Content").fill("Rivers are cold.")
    await desktop.get_by_role("button", name="Save Changes").click()

    await expect(other_desktop.get_by_text("Version 2 was saved in the meantime.")).to_be_visible()
    await expect(other_desktop.get_by_label("Waiver Content")).to_have_value("Rivers are deep.")
    await other_desktop.get_by_role("button", name="Save Changes").click()
    await desktop.get_by_role("button", name="View Gorge trip").click()
    await expect(desktop.get_by_role("region", name="Waiver content")).to_have_text("Rivers are deep.")
    await desktop.get_by_role("button", name="Version 3 · History").click()
    await desktop.get_by_role("button", name="Version 2", exact=True).click()
    await expect(desktop.get_by_role("dialog")).to_contain_text("Rivers are cold.")


async def test_a_waiver_sent_in_one_window_appears_in_the_other(
    company: Company, desktop: Page, other_desktop: Page
) -> None:
    subscriptions = watch_subscriptions(other_desktop)
    await open_signed_in(other_desktop, company, "/dashboard/waiver-management")
    await expect(other_desktop.get_by_text("No waivers found.")).to_be_visible()
    await wait_for_subscriptions(subscriptions)
    await open_signed_in(desktop, company, "/dashboard/waivers")

    await desktop.get_by_role("button", name="Send General Liability Waiver").click()
    dialog = desktop.get_by_role("dialog", name="Send Waiver")
    await fill_in_recipient(dialog, "Noor Haddad", "noor@example.com")
    await dialog.get_by_role("button", name="Send Waiver").click()

    await expect(waiver_rows(other_desktop)).to_contain_text("Noor Haddad")


@pytest.mark.accept("DASH-02")
async def test_a_reminder_contains_the_link_to_sign(company: Company, desktop: Page, deployment: Deployment) -> None:
    pending_session, signed_session = company.send_to("Noor Haddad"), company.send_to("Bo Lind")
    company.sign_as_guest(signed_session, "Bo Lind")
    await open_signed_in(desktop, company, "/dashboard")

    await desktop.get_by_role("button", name="Send Reminders").click()
    dialog = desktop.get_by_role("dialog", name="Send Reminders")
    await expect(dialog.get_by_role("list", name="Gets a reminder (1)").get_by_role("listitem")).to_have_count(1)
    await dialog.get_by_role("button", name="Send 1 reminder").click()

    toasts = desktop.get_by_role("region", name=re.compile("Notifications"))
    await expect(toasts.get_by_text("Sending reminders", exact=True)).to_be_visible()
    await expect(desktop.get_by_text("1 reminder is queued.", exact=True)).to_be_visible()
    link = f"/waivers/sign/session/{pending_session}"
    email = await deployment.wait_for_email("Reminder: please sign General Liability Waiver", containing=link)
    assert email["To"] == "noor@example.com"
    assert not [email for email in deployment.mail_server.emails if email["To"] == "bo@example.com"]
