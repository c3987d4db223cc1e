"""Signs up and signs in through the forms, and finds the links in account emails."""

import asyncio
import re
from uuid import uuid4

from playwright.async_api import Page

from tests.e2e.company import PASSWORD
from tests.e2e.conftest import Deployment
from tests.mail_server import plain_body
from tests.waiting import PATIENCE_SECONDS


async def sign_up(page: Page, email: str, role: str = "Company") -> None:
    await submit_sign_up(page, email, role)
    await page.wait_for_url("**/*dashboard")


async def submit_sign_up(page: Page, email: str, role: str = "Company") -> None:
    """Submits the form without waiting for the dashboard, because the sign-up may fail."""
    await page.goto("/signup")
    await page.get_by_text(role, exact=True).click()
    await page.get_by_label("Full Name").fill("Rosa Marín")
    await page.get_by_label("Email").fill(email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Create account").click()


async def sign_in(page: Page, email: str, password: str = PASSWORD) -> None:
    await page.goto("/signin")
    await submit_sign_in(page, email, password)


async def submit_sign_in(page: Page, email: str, password: str = PASSWORD) -> None:
    await page.get_by_label("Email").fill(email)
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Sign in", exact=True).click()


async def create_account(deployment: Deployment, page: Page, role: str) -> str:
    """Creates an account through the API and returns its email address."""
    email = f"{role}.{uuid4().hex}@example.com"
    account = {"email": email, "password": PASSWORD, "data": {"name": "Rosa Marín", "role": role}}
    response = await page.request.post("/auth/v1/signup", data=account, headers={"apikey": deployment.server.anon_key})
    assert response.ok
    return email


async def open_and_sign_in(page: Page, path: str, email: str) -> None:
    """Opens a page that requires an account, and signs in on the form it redirects to."""
    await page.goto(path)
    await page.wait_for_url("**/signin")
    await submit_sign_in(page, email)


async def link_in_email(deployment: Deployment, recipient: str, subject: str) -> str:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            for email in deployment.mail_server.emails:
                if email["To"] == recipient and email["Subject"] == subject:
                    link = re.search(r"https?://\S+/auth/v1/verify\S+", plain_body(email))
                    assert link is not None
                    return link[0]
            await asyncio.sleep(0.05)


async def confirm_address(page: Page, password: str = PASSWORD) -> None:
    """Fills in the page that the link of the sign-up email opens."""
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Confirm my address").click()
