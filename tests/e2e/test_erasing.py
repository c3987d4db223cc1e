"""A company puts a waiver on legal hold, erases it, and chooses how long it keeps its waivers."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.accessibility import axe_violations
from tests.e2e.company import Company, open_signed_in
from tests.e2e.conftest import Deployment
from tests.e2e.guest import database_connection
from tests.e2e.test_dashboard import waiver_rows
from tests.e2e.test_waiver_acts import DIRECTORY, back_to_list, history, open_waiver


@pytest.mark.accept("TRUE-13")
async def test_a_waiver_is_held_released_and_erased(company: Company, desktop: Page) -> None:
    company.sign_as_guest(company.send_to("Ana Ortiz"), "Ana Ortiz")
    await open_signed_in(desktop, company, DIRECTORY)

    await open_waiver(desktop, "Ana Ortiz")
    await desktop.get_by_role("button", name="Hold").click()
    await confirm(desktop, "Put this waiver on legal hold?", "A claim was announced.", "Put on hold")
    await expect(desktop.get_by_role("main")).to_contain_text("On legal hold")
    await expect(history(desktop).last).to_contain_text("Put on legal hold")
    await expect(desktop.get_by_role("button", name="Erase")).to_have_count(0)
    assert await axe_violations(desktop) == []
    await desktop.get_by_role("button", name="Release hold").click()
    await confirm(desktop, "Release the legal hold?", "The claim is settled.", "Release hold")
    await desktop.get_by_role("button", name="Erase").click()
    erasure = desktop.get_by_role("dialog", name="Erase this waiver?")
    await erasure.get_by_label("Reason").fill("Ana Ortiz wants it.")
    await erasure.get_by_role("button", name="Erase for good").click()
    await expect(erasure).to_contain_text("please do not name the person")
    await confirm(desktop, "Erase this waiver?", "The guest wants it.", "Erase for good")

    await expect(desktop.get_by_text("Waiver erased", exact=True)).to_be_visible()
    await expect(desktop.get_by_role("main")).to_contain_text("The person who signed is no longer known here.")
    await expect(history(desktop).last).to_contain_text("Reason: The guest wants it.")
    await expect(history(desktop).last).to_contain_text("By Rosa Marín")
    await expect(desktop.get_by_role("main")).not_to_contain_text("Ana Ortiz")
    assert await axe_violations(desktop) == []
    await back_to_list(desktop)
    await expect(waiver_rows(desktop)).to_contain_text("Erased")
    await expect(waiver_rows(desktop).get_by_role("button", name="Download")).to_have_count(0)


async def confirm(page: Page, title: str, reason: str, label: str) -> None:
    dialog = page.get_by_role("dialog", name=title)
    await dialog.get_by_label("Reason").fill(reason)
    await dialog.get_by_role("button", name=label).click()
    await expect(dialog).to_have_count(0)


@pytest.mark.accept("TRUE-15")
async def test_a_company_chooses_how_long_it_keeps_its_waivers(
    company: Company, desktop: Page, deployment: Deployment
) -> None:
    company.sign_as_guest(company.send_to("Ana Ortiz"), "Ana Ortiz")
    async with database_connection(deployment) as connection:
        await connection.execute("set session_replication_role = replica")
        await connection.execute("update waivers.signed set signed_at = now() - interval '8 years'")
    await open_signed_in(desktop, company, "/dashboard/profile#records")

    await desktop.get_by_label("Keep signed waivers").select_option("7 years")
    await desktop.get_by_role("region", name="Keeping Records").get_by_role("button", name="Save").click()
    dialog = desktop.get_by_role("dialog", name="Keep waivers for 7 years only?")
    await expect(dialog).to_contain_text("1 waiver would be erased in 30 days at the earliest.")
    assert await axe_violations(desktop) == []
    await dialog.get_by_role("button", name="Keep for 7 years").click()

    await expect(desktop.get_by_text("Your signed waivers are kept for 7 years.", exact=True)).to_be_visible()
    await desktop.reload()
    await expect(desktop.get_by_label("Keep signed waivers")).to_have_value("84")
