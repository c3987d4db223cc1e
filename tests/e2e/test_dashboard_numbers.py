"""The numbers and the warning of the dashboard agree with the lists that they link to. Reminders have a preview."""

from uuid import UUID

import pytest
from playwright.async_api import Page, expect

from tests.e2e.accessibility import axe_violations
from tests.e2e.company import Company, open_signed_in
from tests.e2e.conftest import Deployment
from tests.e2e.guest import database_connection
from tests.e2e.test_dashboard import waiver_rows


async def expire(deployment: Deployment, session_id: str) -> None:
    async with database_connection(deployment) as connection:
        await connection.execute(
            "update waivers.sessions set expires_at = now() - interval '1 day' where id = $1", UUID(session_id)
        )


@pytest.mark.accept("DASH-06", "DASH-09", "APP-13")
async def test_the_card_the_warning_and_the_list_count_the_same_waivers(
    company: Company, desktop: Page, deployment: Deployment
) -> None:
    for guest in ("Ana Ortiz", "Bo Lind"):
        company.send_to(guest)
    await expire(deployment, company.send_to("Expired Ed"))
    cancelled = {"session_id": company.send_to("Cora Cancelled"), "reason": "Not coming"}
    company.client.post("/rest/v1/rpc/cancel_waiver", json=cancelled, headers=company.headers).raise_for_status()
    signed_twice = company.send_to("Noor Haddad")
    for name in ("Noor Haddad", "Noor H. Haddad"):
        company.sign_as_guest(signed_twice, name)
    await open_signed_in(desktop, company, "/dashboard")

    await expect(desktop.get_by_text("2 waivers are still waiting for a signature.")).to_be_visible()
    recent = desktop.get_by_role("table", name="Recent Waivers")
    for guest, status in {"Expired Ed": "Expired", "Cora Cancelled": "Cancelled", "Bo Lind": "Pending"}.items():
        await expect(recent.locator("tr").filter(has_text=guest)).to_contain_text(status)
    assert await axe_violations(desktop) == []
    for link, count in {
        "See who is missing": 2, "2 pending": 2, "2 signed": 2, "6 total": 6, "1 expired": 1, "1 cancelled": 1,
    }.items():  # fmt: skip
        await desktop.get_by_role("link", name=link, exact=True).click()
        await expect(desktop.get_by_role("heading", name="Waiver Management")).to_be_visible()
        await expect(waiver_rows(desktop)).to_have_count(count)
        await expect(desktop.get_by_text("1 waiver" if count == 1 else f"{count} waivers", exact=True)).to_be_visible()
        await desktop.go_back()


@pytest.mark.accept("DASH-02", "APP-14")
async def test_the_company_sees_whom_it_reminds_before_it_does(
    company: Company, desktop: Page, deployment: Deployment
) -> None:
    for guest in ("Nives Horvat", "Bo Lind", "Bounced Bea"):
        company.send_to(guest)
    await expire(deployment, company.send_to("Expired Ed"))
    async with database_connection(deployment) as connection:
        await connection.execute(
            """
            insert into messaging.suppressions (scope, company_id, address, reason)
            select 'company', p.company_id, 'bounced@example.com', 'bounce' from profiles p where p.email = $1
            """,
            company.email,
        )
    await open_signed_in(desktop, company, "/dashboard/profile")
    await expect(desktop.get_by_role("heading", level=1)).to_be_visible()
    # The command menu opens the dialog from any page.
    await desktop.keyboard.press("Control+k")
    await desktop.get_by_role("option", name="Send Reminders").click()

    dialog = desktop.get_by_role("dialog", name="Send Reminders")
    await expect(dialog.get_by_role("list", name="Gets a reminder (2)")).to_contain_text("Not written to yet")
    for reason, guest in {"An earlier email came back": "Bounced Bea", "The link has expired": "Expired Ed"}.items():
        await expect(dialog.get_by_role("list", name=reason)).to_contain_text(guest)
    assert await axe_violations(desktop) == []
    await desktop.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    assert not [email for email in deployment.mail_server.emails if email["To"] == "nives@example.com"], (
        "no email is sent before the reminders are confirmed"
    )

    # The whole dialog works with the keyboard.
    await desktop.get_by_role("button", name="Send Reminders").press("Enter")
    await dialog.get_by_role("button", name="Send 2 reminders").press("Enter")

    await expect(desktop.get_by_text("2 reminders are queued.", exact=True)).to_be_visible()
    await expect(dialog).to_have_count(0)
    await desktop.get_by_role("button", name="Send Reminders").press("Enter")
    await expect(dialog.get_by_text("No one can be reminded now.")).to_be_visible()
    await expect(dialog.get_by_role("heading", name="Left out (4)")).to_be_visible()
