"""A guest downloads their data and asks a company to erase it. The company answers, and the guest sees the answer."""

import asyncio
import json
import zipfile
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.e2e.accessibility import axe_violations_in_both_themes
from tests.e2e.account_forms import create_account, sign_in
from tests.e2e.company import Company, confirm_as_operator, open_signed_in
from tests.e2e.conftest import PHONE, Deployment
from tests.e2e.guest import database_connection
from tests.e2e.test_dashboard import waiver_rows
from tests.e2e.test_waiver_acts import DIRECTORY, history, open_waiver
from tests.waiting import wait_until_true

GUEST_PROFILE = "/guest-dashboard/profile"


async def create_guest(deployment: Deployment, page: Page) -> str:
    """Creates the account of a guest with a confirmed address, and returns the address."""
    email = await create_account(deployment, page, "customer")
    async with database_connection(deployment) as connection:
        user_id = await connection.fetchval("select id from auth.users where email = $1", email)
    await asyncio.to_thread(confirm_as_operator, deployment.server, str(user_id))
    return email


async def sign_and_wait_for_document(deployment: Deployment, company: Company, email: str) -> None:
    company.sign_as_guest(company.send_to("Ana Ortiz"), "Ana Ortiz", email)
    async with database_connection(deployment) as connection:
        await wait_until_true(
            connection,
            f"select document_path is not null from waivers.signed where signer_email = '{email}'",
        )


async def downloaded_files(page: Page) -> dict[str, bytes]:
    async with page.expect_download() as download_info:
        await page.get_by_role("button", name="Download your data").click()
    path = await (await download_info.value).path()
    return await asyncio.to_thread(unzipped, path)


def unzipped(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


async def open_profile_of_signer(deployment: Deployment, company: Company, phone: Page) -> str:
    """Opens the profile of a guest who has signed a waiver, and returns the guest's address."""
    email = await create_guest(deployment, phone)
    await sign_and_wait_for_document(deployment, company, email)
    await sign_in(phone, email)
    await phone.wait_for_url("**/guest-dashboard")
    await phone.goto(GUEST_PROFILE)
    return email


@pytest.mark.accept("TRUE-18", "TRUE-19")
async def test_a_guest_downloads_their_data_and_has_it_erased(
    deployment: Deployment, company: Company, desktop: Page, phone: Page
) -> None:
    email = await open_profile_of_signer(deployment, company, phone)

    files = await downloaded_files(phone)
    [record] = [
        json.loads(content) for name, content in files.items() if name.startswith("waivers/") and "json" in name
    ]
    [document] = [content for name, content in files.items() if name.endswith(".pdf")]
    assert (record["signer_name"], record["signer_email"]) == ("Ana Ortiz", email)
    assert document.startswith(b"%PDF-")
    assert json.loads(files["account.json"])[0]["email"] == email

    data = phone.get_by_role("region", name="Your Data")
    await expect(data.get_by_role("listitem")).to_contain_text("1 signed waiver")
    await data.get_by_role("button", name="Ask to erase").click()
    dialog = phone.get_by_role("dialog", name="Ask to erase your waivers?")
    await dialog.get_by_label("Message to the company").fill("I no longer ride with you.")
    assert await axe_violations_in_both_themes(phone) == []
    await dialog.get_by_role("button", name="Ask to erase").click()
    await expect(data.get_by_role("listitem")).to_contain_text("The company has not answered yet.")
    assert await axe_violations_in_both_themes(phone) == []

    await open_signed_in(desktop, company, "/dashboard/profile#records")
    requests = desktop.get_by_role("region", name="Guests who want their waivers erased")
    await expect(requests.get_by_role("listitem")).to_contain_text("I no longer ride with you.")
    assert await axe_violations_in_both_themes(desktop) == []
    await requests.get_by_role("button", name="Erase").click()
    erasure = desktop.get_by_role("dialog", name="Erase all waivers of this guest?")
    await expect(erasure).to_contain_text(email)
    await desktop.set_viewport_size(PHONE)
    assert await erasure.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth"), "the long address is cut off"
    await erasure.get_by_label("Reason").fill("As you wish.")
    assert await axe_violations_in_both_themes(desktop) == []
    await erasure.get_by_role("button", name="Erase for good").click()
    await expect(desktop.get_by_text("Waivers erased", exact=True)).to_be_visible()
    await expect(requests).to_have_count(0)

    await desktop.goto(DIRECTORY)
    await expect(waiver_rows(desktop)).to_contain_text("Erased")
    await open_waiver(desktop, "(erased)")
    await expect(history(desktop).last).to_contain_text("Reason: As you wish.")
    await expect(history(desktop).last).to_contain_text("By Rosa Marín")

    await phone.reload()
    await expect(data.get_by_role("listitem")).to_contain_text("As you wish.")
    await expect(data.get_by_role("listitem")).to_contain_text("Erased on")
    await expect(data.get_by_role("button", name="Ask to erase")).to_have_count(0)


async def test_a_refused_request_can_be_sent_again(
    deployment: Deployment, company: Company, desktop: Page, phone: Page
) -> None:
    await open_profile_of_signer(deployment, company, phone)
    data = phone.get_by_role("region", name="Your Data")
    await data.get_by_role("button", name="Ask to erase").click()
    await phone.get_by_role("dialog").get_by_role("button", name="Ask to erase").click()
    await expect(data.get_by_role("listitem")).to_contain_text("The company has not answered yet.")

    await open_signed_in(desktop, company, "/dashboard/profile#records")
    requests = desktop.get_by_role("region", name="Guests who want their waivers erased")
    await requests.get_by_role("button", name="Refuse").click()
    refusal = desktop.get_by_role("dialog", name="Refuse this request?")
    await refusal.get_by_label("Reason").fill("A claim is open.")
    await refusal.get_by_role("button", name="Refuse").click()
    await expect(desktop.get_by_text("Request refused", exact=True)).to_be_visible()

    await phone.reload()
    await expect(data.get_by_role("listitem")).to_contain_text("Not erased on")
    await expect(data.get_by_role("listitem")).to_contain_text("A claim is open.")
    await expect(data.get_by_role("button", name="Ask to erase")).to_be_enabled()
