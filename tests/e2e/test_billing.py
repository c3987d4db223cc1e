"""A company chooses a plan and pays for it after the trial, and sees an error when payment fails."""

import asyncio
import re
from contextlib import ExitStack
from pathlib import Path

import asyncpg
import pytest
from playwright.async_api import Browser, Page, expect
from starlette.responses import JSONResponse

from tests.billing.stripe import API_KEY, WEBHOOK_SECRET, running_stripe
from tests.e2e.accessibility import axe_violations
from tests.e2e.close_context import close_context
from tests.e2e.company import Company, open_signed_in, registered_company
from tests.e2e.conftest import DESKTOP, Deployment
from tests.e2e.faults import expect_soon
from tests.serving import free_port, serving

BILLING_PATH = "/dashboard/settings/billing"
REDIRECT_FAILED = "There was a problem redirecting to the payment page. Please try again."


@pytest.mark.accept("BILL-01", "BILL-02", "BILL-03", "BILL-04", "CHECK-04", "CHECK-05", "CHECK-08", "TRIAL-11")
async def test_subscribing_in_the_sandbox_removes_the_trial_banner(desktop: Page, deployment: Deployment) -> None:
    with registered_company(deployment.server) as company:
        await end_trial(deployment, company.session["user"]["id"])
        await open_signed_in(desktop, company, BILLING_PATH)
        banner = desktop.get_by_text("Your free trial has ended")
        await expect(banner).to_be_visible()
        for tab in ("Pricing", "Payment Methods", "Billing History"):
            await expect(desktop.get_by_role("tab", name=tab)).to_be_visible()
        await desktop.get_by_role("link", name="Choose Basic").click()
        await expect(desktop.get_by_role("heading", name="Secure Checkout")).to_be_visible()
        await expect(desktop.get_by_text("$20.00")).to_be_visible()

        await desktop.get_by_role("button", name="Proceed to Payment").click()
        await pay_after_a_declined_card(desktop, "$20.00")

        await desktop.wait_for_url(re.compile(rf"{BILLING_PATH}(\?paid=basic)?$"))
        await expect(desktop.get_by_text("Thank you for your payment.", exact=True)).to_be_visible()
        await expect(desktop.get_by_role("article", name="Basic plan")).to_contain_text("Current plan")
        await expect(banner).to_have_count(0)
        assert await axe_violations(desktop) == []
        await desktop.get_by_role("tab", name="Payment Methods").click()
        card = desktop.get_by_role("list", name="Payment methods").get_by_role("listitem")
        await expect(card).to_contain_text("Visa ending in 4242")
        await expect(card).to_contain_text("Expires 12/2031")
        await desktop.get_by_role("tab", name="Billing History").click()
        await expect(desktop.get_by_role("table", name="Invoices")).to_contain_text("#1000")
        await expect(desktop.get_by_role("table", name="Invoices")).to_contain_text("$20.00")


async def pay_after_a_declined_card(page: Page, amount: str) -> None:
    await expect(page.get_by_text("nothing is charged here")).to_be_visible()
    await page.get_by_label("Card number").fill("4000 0000 0000 0002")
    await page.get_by_label("Expires").fill("12/31")
    await page.get_by_label("CVC").fill("123")
    await page.get_by_role("button", name=f"Pay {amount}").click()
    await expect(page.get_by_text("This card was declined.")).to_be_visible()
    assert await axe_violations(page) == []
    await page.get_by_label("Card number").fill("4242 4242 4242 4242")
    await page.get_by_label("Expires").fill("12/31")
    await page.get_by_label("CVC").fill("123")
    await page.get_by_role("button", name=f"Pay {amount}").click()


async def end_trial(deployment: Deployment, user_id: str) -> None:
    """Ends the trial. The last notice about it is dated in the future, so that no further notice covers the page."""
    connection = await asyncpg.connect(deployment.server.db_url)
    await connection.execute(
        """
        update billing.trials set start_date = now() - interval '9 days', last_notified_on = '2100-01-01'
         where user_id = $1
        """,
        user_id,
    )
    await connection.close()


@pytest.mark.accept("ERR-24", "ERR-25")
async def test_failures_of_stripe_and_of_the_server_are_reported(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    context = await browser.new_context(base_url=f"http://127.0.0.1:{port}", viewport=DESKTOP, service_workers="block")
    page = await context.new_page()
    await page.clock.install()
    async with running_stripe() as stripe:
        settings = {"SECRET_KEY": API_KEY, "WEBHOOK_SECRET": WEBHOOK_SECRET, "URL": stripe.url}
        stripe_environment = {f"CAIRN_BILLING__STRIPE__{name}": value for name, value in settings.items()}
        with ExitStack() as stack:
            server = stack.enter_context(serving(tmp_path, port=port, settings=stripe_environment))
            company = stack.enter_context(registered_company(server))
            # The customer is created in a thread, because the fake Stripe runs on this event loop.
            await asyncio.to_thread(make_stripe_customer, company)
            stripe.fault = JSONResponse({"error": {"message": "We are down."}}, 500)

            await open_signed_in(page, company, BILLING_PATH)
            await page.get_by_role("tab", name="Payment Methods").click()
            await expect_soon(page, page.get_by_role("alert").filter(has_text="Failed to load payment methods"))
            # The page is prerendered, so its button can be seen before the scripts have loaded.
            await page.goto("/checkout?amount=2000&description=Basic%20Plan%20Subscription", wait_until="networkidle")
            await page.get_by_role("button", name="Proceed to Payment").click()
            await expect(page.get_by_role("alert")).to_contain_text(REDIRECT_FAILED)
            await page.reload(wait_until="networkidle")
            assert await asyncio.to_thread(server.interrupt) == 0
            await page.get_by_role("button", name="Proceed to Payment").click()
            await expect(page.get_by_role("alert")).to_contain_text(REDIRECT_FAILED)
    await close_context(context)


def make_stripe_customer(company: Company) -> None:
    """Makes the company a customer of Stripe, so that its cards are requested from Stripe."""
    body = {"amount": 700, "description": "A visit"}
    company.client.post("/functions/v1/create-checkout", json=body, headers=company.headers).raise_for_status()
