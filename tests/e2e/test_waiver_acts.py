"""A company cancels, corrects, resends, revokes and replaces waivers, and the page of the waiver shows each action."""

import asyncio
import re
from email.message import EmailMessage
from uuid import UUID

import pytest
from playwright.async_api import Locator, Page, expect

from tests.e2e.accessibility import axe_violations
from tests.e2e.company import (
    Company,
    fill_in_recipient,
    open_signed_in,
    wait_for_subscriptions,
    watch_subscriptions,
)
from tests.e2e.conftest import PHONE, Deployment
from tests.e2e.guest import click_sign, database_connection, draw_with_mouse, enter_signer_details, signing_path
from tests.e2e.test_dashboard import waiver_rows
from tests.mail_server import plain_body
from tests.waiting import PATIENCE_SECONDS

DIRECTORY = "/dashboard/waiver-management"


def history(page: Page) -> Locator:
    return page.get_by_role("region", name="History").get_by_role("listitem")


async def open_waiver(page: Page, guest: str) -> None:
    """Opens the page of the waiver from its row with the keyboard."""
    await page.get_by_role("link", name=f"View waiver of {guest}").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1, name=guest)).to_be_visible()


async def back_to_list(page: Page) -> None:
    await page.get_by_role("link", name="Back to waivers").click()


@pytest.mark.accept("TRUE-10")
async def test_a_cancelled_waiver_says_so_to_a_guest_who_had_it_open(
    company: Company, desktop: Page, phone: Page
) -> None:
    session_id = company.send_to("Ana Ortiz")
    company.send_to("Bo Lind")
    await phone.goto(signing_path(UUID(session_id)))
    await enter_signer_details(phone, "Ana Ortiz")
    await draw_with_mouse(phone)
    await open_signed_in(desktop, company, DIRECTORY)

    await open_waiver(desktop, "Ana Ortiz")
    await desktop.get_by_role("button", name="Cancel waiver").click()
    confirmation = desktop.get_by_role("dialog", name="Cancel this waiver?")
    await expect(confirmation).to_contain_text("You cannot undo this")
    assert await axe_violations(desktop) == []
    await confirmation.get_by_label("Reason").fill("The trip was moved.")
    await confirmation.get_by_role("button", name="Cancel waiver").click()

    await expect(desktop.get_by_text("Waiver cancelled", exact=True)).to_be_visible()
    await expect(history(desktop).last).to_contain_text("Cancelled")
    await expect(history(desktop).last).to_contain_text("By Rosa Marín")
    await expect(history(desktop).last).to_contain_text("Reason: The trip was moved.")
    await click_sign(phone)
    await expect(phone.get_by_role("heading", level=1)).to_have_text("Waiver Cancelled")
    await phone.reload()
    await expect(phone.get_by_role("heading", level=1)).to_have_text("Waiver Cancelled")
    await expect(phone.get_by_role("main")).to_contain_text(
        "Please ask Rio Rafting for a new link if you still take part."
    )

    await back_to_list(desktop)
    await desktop.get_by_label("Status").select_option("Cancelled")
    await expect(waiver_rows(desktop)).to_have_count(1)
    await expect(waiver_rows(desktop)).to_contain_text("Cancelled")
    await desktop.goto("/dashboard")
    await expect(desktop.get_by_role("definition")).to_have_text(["2", "0", "1"])
    await desktop.get_by_role("link", name="1 cancelled").click()
    await expect(waiver_rows(desktop)).to_contain_text("Ana Ortiz")


@pytest.mark.accept("TRUE-11")
async def test_a_corrected_waiver_is_sent_to_the_right_address_with_a_new_link(
    company: Company, desktop: Page, phone: Page, deployment: Deployment
) -> None:
    await send_waiver(desktop, company, "Ana Ortiz", "anna.wrong@example.com")
    old_link = link_in(plain_body(await wait_for_email_to(deployment, "anna.wrong@example.com")))
    await desktop.goto(DIRECTORY)

    await open_waiver(desktop, "Ana Ortiz")
    await desktop.get_by_role("button", name="Correct").click()
    await desktop.set_viewport_size(PHONE)
    correction = desktop.get_by_role("dialog", name="Correct the recipient")
    assert await axe_violations(desktop) == []
    await correction.get_by_label("Recipient Email").fill("ana.right@example.com")
    await correction.get_by_role("button", name="Correct and send").click()

    await expect(desktop.get_by_text("Waiver Sent Successfully", exact=True)).to_be_visible()
    email = await wait_for_email_to(deployment, "ana.right@example.com")
    new_link = link_in(plain_body(email))
    assert "Please bring a towel." in plain_body(email)
    assert new_link != old_link
    await expect(desktop.get_by_text("ana.right@example.com").first).to_be_visible()
    await expect(history(desktop).filter(has_text="Recipient corrected")).to_contain_text("By Rosa Marín")

    await phone.goto(old_link)
    await expect(phone.get_by_role("heading", level=1)).to_have_text("Waiver Cancelled")
    await phone.goto(new_link)
    await expect(phone.get_by_label("Your Email")).to_have_value("ana.right@example.com")


async def send_waiver(page: Page, company: Company, name: str, email: str) -> None:
    await open_signed_in(page, company, "/dashboard/waivers")
    await page.get_by_role("button", name="Send General Liability Waiver").click()
    dialog = page.get_by_role("dialog", name="Send Waiver")
    await fill_in_recipient(dialog, name, email)
    await dialog.get_by_label("Email Message").fill("Please bring a towel.")
    await dialog.get_by_role("button", name="Send Waiver").click()
    await page.wait_for_url("**/dashboard/sent-waivers")


async def wait_for_email_to(deployment: Deployment, address: str) -> EmailMessage:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            for email in deployment.mail_server.emails:
                if email["To"] == address:
                    return email
            await asyncio.sleep(0.05)


def link_in(body: str) -> str:
    match = re.search(r"https?://\S+/waivers/sign/session/\S+", body)
    assert match is not None
    return match[0]


@pytest.mark.accept("TRUE-12")
async def test_a_revoked_waiver_stays_readable_and_other_windows_see_it(
    company: Company, desktop: Page, phone: Page
) -> None:
    company.sign_as_guest(company.send_to("Ana Ortiz"), "Ana Ortiz")
    subscriptions = watch_subscriptions(phone)
    await open_signed_in(phone, company, DIRECTORY)
    await expect(waiver_rows(phone)).to_contain_text("Signed")
    await wait_for_subscriptions(subscriptions)
    await open_signed_in(desktop, company, DIRECTORY)

    await open_waiver(desktop, "Ana Ortiz")
    await desktop.get_by_role("button", name="Revoke").click()
    confirmation = desktop.get_by_role("dialog", name="Revoke this waiver?")
    await expect(confirmation.get_by_role("radio", name="A newer waiver replaces it")).to_be_disabled()
    assert await axe_violations(desktop) == []
    await confirmation.get_by_label("Reason").fill("Signed by her brother.")
    await confirmation.get_by_role("button", name="Revoke waiver").click()

    await expect(desktop.get_by_text("Waiver revoked", exact=True)).to_be_visible()
    await back_to_list(desktop)
    for window in (desktop, phone):
        await expect(waiver_rows(window)).to_contain_text("Revoked")
    await open_waiver(desktop, "Ana Ortiz")
    await expect(desktop.get_by_role("main")).to_contain_text("Signed by her brother.")
    await expect(desktop.get_by_role("region", name="Waiver content")).to_contain_text("Ana Ortiz")
    await expect(history(desktop).filter(has_text="Revoked")).to_contain_text("By Rosa Marín")
    await expect(desktop.get_by_role("button", name="Revoke")).to_have_count(0)


@pytest.mark.accept("TRUE-12")
async def test_a_newer_waiver_supersedes_an_older_one(company: Company, desktop: Page) -> None:
    older, newer = company.send_to("Ana Ortiz"), company.send_to("Ana Ortiz")
    company.sign_as_guest(older, "Ana Ortiz", "ana@guests.example")
    company.sign_as_guest(newer, "Ana Marín Ortiz", "ana@guests.example")
    await open_signed_in(desktop, company, DIRECTORY)

    await open_waiver(desktop, "Ana Ortiz")
    await desktop.get_by_role("button", name="Revoke").click()
    confirmation = desktop.get_by_role("dialog", name="Revoke this waiver?")
    await confirmation.get_by_role("radio", name="A newer waiver replaces it").check()
    await expect(confirmation.get_by_label("Newer waiver").locator("option")).to_have_count(1)
    assert await axe_violations(desktop) == []
    await confirmation.get_by_label("Reason").fill("She married.")
    await confirmation.get_by_role("button", name="Revoke waiver").click()

    await expect(confirmation).to_have_count(0)
    await back_to_list(desktop)
    await expect(waiver_rows(desktop).filter(has_text="Superseded")).to_contain_text("Ana Ortiz")
    await expect(waiver_rows(desktop).filter(has_text="Ana Marín Ortiz")).to_contain_text("Signed")
    await open_waiver(desktop, "Ana Ortiz")
    await expect(history(desktop).last).to_contain_text("Superseded by a newer waiver")
    await expect(history(desktop).last).to_contain_text("Reason: She married.")
    await expect(history(desktop).last).to_contain_text("By Rosa Marín")
    await expect(desktop.get_by_role("region", name="Waiver content")).to_contain_text("Ana Ortiz")


@pytest.mark.accept("SIGN-21")
async def test_an_expired_waiver_is_sent_again_with_a_new_link(
    company: Company, desktop: Page, phone: Page, deployment: Deployment
) -> None:
    expired = company.send_to("Expired Ed")
    async with database_connection(deployment) as connection:
        await connection.execute(
            "update waivers.sessions set expires_at = now() - interval '1 day' where id = $1", UUID(expired)
        )
    await open_signed_in(desktop, company, f"{DIRECTORY}/{expired}")

    await desktop.get_by_role("button", name="Send again").click()

    await expect(history(desktop).last).to_contain_text("Sent again with a new link")
    link = link_in(plain_body(await wait_for_email_to(deployment, "expired@example.com")))
    assert expired not in link
    await phone.goto(link)
    await expect(phone.get_by_role("button", name="Sign Waiver")).to_be_visible()
