"""The numbers of the dashboard, its warning and the lists behind them agree."""

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
async def test_card_warning_and_list_count_the_same_waivers(
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
