"""Tests accounts: a guest who signs up after signing, a company's first visit, profiles, and the end of the trial."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import httpx
import pytest
import pytest_asyncio
from playwright.async_api import FilePayload, Page, expect

from tests.e2e.accessibility import axe_violations_in_both_themes
from tests.e2e.account_forms import confirm_address, link_in_email, sign_in, sign_up
from tests.e2e.company import PASSWORD, confirm_as_operator
from tests.e2e.conftest import Deployment
from tests.e2e.guest import draw_with_mouse
from tests.factories import SAMPLE_TEMPLATE_ID, png, signature_data_url
from tests.waiting import PATIENCE_SECONDS


class AsyncCompany:
    """Calls the API as the company Rio Rafting.

    The calls are asynchronous, because the mail server, which `send-email` waits for, runs on the same event loop.
    """

    def __init__(self, client: httpx.AsyncClient, session: dict[str, Any]) -> None:
        self.client, self.token, self.email = client, session["access_token"], session["user"]["email"]

    async def request(self, method: str, path: str, body: object = None, accept: str = "*/*") -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}", "Prefer": "return=representation", "Accept": accept}
        return (await self.client.request(method, path, json=body, headers=headers)).raise_for_status()

    async def send_to(self, email: str) -> str:
        row = {"template_id": SAMPLE_TEMPLATE_ID, "recipient_name": "Gil Okafor", "recipient_email": email}
        [session] = (await self.request("POST", "/rest/v1/waiver_sessions", row)).json()
        return str(session["id"])

    async def create_signed_waiver(self, email: str) -> str:
        row = {
            "session_id": await self.send_to(email),
            "signer_name": "Gil Okafor",
            "signer_email": email,
            "signature": signature_data_url(),
        }
        [waiver] = (await self.request("POST", "/rest/v1/signed_waivers", row)).json()
        return str(waiver["id"])

    async def download_document(self, waiver_id: str) -> bytes:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                response = await self.request("POST", "/functions/v1/waiver-document", {"waiver_id": waiver_id})
                if response.status_code == 200:
                    return response.content


@pytest_asyncio.fixture
async def company(deployment: Deployment) -> AsyncIterator[AsyncCompany]:
    headers = {"apikey": deployment.server.anon_key}
    async with httpx.AsyncClient(base_url=deployment.url, headers=headers, timeout=20) as client:
        account = {"email": f"rosa.{uuid4().hex}@example.com", "password": PASSWORD, "data": {"role": "company"}}
        session = (await client.post("/auth/v1/signup", json=account)).raise_for_status().json()
        await asyncio.to_thread(confirm_as_operator, deployment.server, session["user"]["id"])
        rosa = AsyncCompany(client, session)
        await rosa.request("PATCH", "/rest/v1/companies?name=eq.", {"name": "Rio Rafting"})
        yield rosa


async def set_trial_start(deployment: Deployment, email: str, days_ago: float) -> None:
    connection = await asyncpg.connect(deployment.server.db_url)
    await connection.execute(
        """
        update billing.trials set start_date = now() - $2 * interval '1 day'
         where user_id = (select id from auth.users where email = $1)
        """,
        email, days_ago,
    )  # fmt: skip
    await connection.close()


@pytest.mark.accept(
    "GUEST-01", "GUEST-02", "GUEST-04", "GUEST-05", "GUEST-06", "GUEST-07", "GUEST-08", "GUEST-09", "ROUTE-27"
)
async def test_a_guest_who_signs_up_after_signing_sees_the_waiver(
    deployment: Deployment, phone: Page, company: AsyncCompany
) -> None:
    email = f"gil.{uuid4().hex}@example.com"
    waiver_id = await company.create_signed_waiver(email)
    pending_session = await company.send_to(email)

    await phone.goto("/guest-dashboard")
    await phone.wait_for_url("**/signin")
    await sign_up(phone, email, "Customer")
    await expect(phone.get_by_text("Please verify your email")).to_be_visible()
    await expect(phone.get_by_text("General Liability Waiver")).to_have_count(0)
    await expect(phone.get_by_text("Trial: 7 days remaining")).to_be_visible()
    await expect(phone.get_by_text("Guests never pay.")).to_be_visible()
    await expect(phone.get_by_text("Welcome to Your 7-Day Free Trial!").first).to_be_visible()
    await phone.get_by_role("button", name="Dismiss").tap()
    assert await axe_violations_in_both_themes(phone) == []

    await phone.goto(await link_in_email(deployment, email, "Confirm your email address"))
    await confirm_address(phone)
    signed_list = phone.get_by_role("region", name="Signed")
    await expect(signed_list).to_contain_text("Rio Rafting")
    async with phone.expect_download() as download_info:
        await signed_list.get_by_role("button", name=re.compile("Download PDF")).click()
    download = await download_info.value
    downloaded_document = await asyncio.to_thread(Path(await download.path()).read_bytes)
    assert downloaded_document == await company.download_document(waiver_id)

    await set_trial_start(deployment, email, 5.1)
    await phone.reload()
    await expect(phone.get_by_role("main").get_by_text("Trial: 2 days remaining")).to_be_visible()
    assert await axe_violations_in_both_themes(phone) == []
    await set_trial_start(deployment, email, 8)
    await phone.reload()
    await expect(phone.get_by_text("Your trial has ended")).to_be_visible()
    await expect(phone.get_by_role("link", name="Subscribe")).to_have_attribute(
        "href", "/checkout?amount=2000&description=Basic%20Plan%20Subscription"
    )
    await phone.get_by_role("button", name=re.compile("Sign Waiver")).click()
    await phone.wait_for_url(f"**/waivers/sign/session/{pending_session}")
    await expect(phone.get_by_label("Your Email")).to_have_value(email)

    await phone.goto("/dashboard/profile")
    await phone.wait_for_url("**/guest-dashboard")
    await phone.get_by_role("button", name="Sign out").click()
    await phone.wait_for_url("**/signin")


class TimedUser:
    """Estimates how long a user needs: three seconds per click and a third of a second per character."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.characters = page, 0, 0

    async def click(self, role: str, name: str, *, exact: bool = False) -> None:
        self.clicks += 1
        await self.page.get_by_role(role, name=name, exact=exact).first.click()  # type: ignore[arg-type] # any role

    async def fill(self, label: str, text: str) -> None:
        self.clicks, self.characters = self.clicks + 1, self.characters + len(text)
        await self.page.get_by_label(label).fill(text)

    @property
    def seconds(self) -> float:
        return self.clicks * 3 + self.characters / 3


async def test_a_new_company_gets_its_first_signed_waiver_in_under_three_minutes(
    deployment: Deployment, desktop: Page, phone: Page
) -> None:
    email = f"rosa.{uuid4().hex[:6]}@example.com"
    rosa = TimedUser(desktop)
    await desktop.goto("/signup")
    await rosa.fill("Full Name", "Rosa Marín")
    await rosa.fill("Email", email)
    await rosa.fill("Password", PASSWORD)
    await rosa.click("button", "Create account")
    await desktop.wait_for_url("**/dashboard")
    await rosa.fill("Company name", "Rio Rafting")
    await rosa.click("button", "Save name")
    await expect(desktop.get_by_role("region", name="First steps")).to_contain_text("1 of 4 done")
    assert await axe_violations_in_both_themes(desktop) == []

    await rosa.click("link", "See the waivers")
    await rosa.click("button", "Send General Liability Waiver")
    await rosa.fill("First Name", "Rosa")
    await rosa.fill("Last Name", "Marín")
    await rosa.fill("Recipient Email", email)
    await rosa.click("button", "Send Waiver", exact=True)
    await expect(desktop.get_by_text("Waiver Sent Successfully").first).to_be_visible()
    await rosa.click("link", "Return to waivers")
    await rosa.click("link", "Dashboard", exact=True)
    await expect(desktop.get_by_role("region", name="First steps")).to_contain_text("3 of 4 done")

    await phone.goto(await deployment.wait_for_signing_link(email))
    signer = TimedUser(phone)
    await draw_with_mouse(phone)
    # Drawing the signature and ticking the checkbox below count as two clicks.
    signer.clicks += 2
    await phone.get_by_role("checkbox", name=re.compile("sign this waiver electronically")).check()
    await signer.click("button", "Sign Waiver")
    await expect(desktop.get_by_role("region", name="All set")).to_be_visible()

    assert rosa.clicks + signer.clicks <= 18
    assert rosa.seconds + signer.seconds < 180
    await desktop.get_by_role("button", name="Put the first steps away").click()
    await desktop.reload()
    await expect(desktop.get_by_role("table", name="Recent Waivers")).to_contain_text("Rosa Marín")
    await expect(desktop.get_by_role("region", name="All set")).to_have_count(0)


@pytest.mark.accept("PROF-09", "PROF-11", "ROUTE-21", "TRIAL-09", "DASH-08")
async def test_a_profile_is_the_same_in_another_browser(deployment: Deployment, desktop: Page, phone: Page) -> None:
    email = f"rosa.{uuid4().hex}@example.com"
    await sign_up(desktop, email)
    await desktop.goto("/dashboard/user-profile")
    await expect(desktop.get_by_label("Company Name")).to_have_value("")
    await desktop.get_by_role("button", name="Edit Profile").click()
    picture = FilePayload(name="face.png", mimeType="image/png", buffer=png(b"\xc0\x40\x20\xff", 200, 300))
    await desktop.get_by_label("Choose a picture").set_input_files(picture)
    await desktop.get_by_label("Full Name").fill("Rosa M.")
    await desktop.get_by_label("Bio").fill("Guide since 1998")
    await desktop.get_by_label("Company Name").fill("Rio Rafting")
    await desktop.get_by_role("button", name="Save Changes").click()
    await expect(desktop.get_by_text("Profile updated", exact=True)).to_be_visible()
    await expect(desktop.get_by_text("Your profile has been successfully updated.", exact=True)).to_be_visible()
    await desktop.goto("/dashboard/profile?section=notifications")
    await desktop.get_by_role("switch", name="By email").click()
    await expect(desktop.get_by_role("switch", name="By email")).to_be_checked()
    assert await axe_violations_in_both_themes(desktop) == []

    await set_trial_start(deployment, email, 9)
    await sign_in(phone, email)
    await expect(phone.get_by_text("Your free trial has ended")).to_be_visible()
    assert await axe_violations_in_both_themes(phone) == []
    await phone.goto("/dashboard/profile?section=notifications")
    await expect(phone.get_by_label("Full Name")).to_have_value("Rosa M.")
    await expect(phone.get_by_label("Bio")).to_have_value("Guide since 1998")
    await expect(phone.get_by_label("Company Name")).to_have_value("Rio Rafting")
    await expect(phone.get_by_role("switch", name="By email")).to_be_checked()
    shown_picture = phone.get_by_role("region", name="Profile").locator("img")
    assert await shown_picture.evaluate(
        "image => image.decode().then(() => [image.naturalWidth, image.naturalHeight])"
    ) == [
        144,
        144,
    ]

    await phone.goto("/guest-dashboard")
    await phone.wait_for_url("**/dashboard")
    await phone.goto("/dashboard/profile")
    await phone.get_by_role("button", name="Sign Out").click()
    await phone.wait_for_url(f"{deployment.url}/#signed-out")
    await expect(phone.get_by_role("status").get_by_text("Signed out", exact=True)).to_be_visible()


@pytest.mark.accept("DASH-08")
async def test_a_company_sees_the_days_of_its_trial_on_the_dashboard_and_on_the_billing_page(
    deployment: Deployment, desktop: Page
) -> None:
    email = f"rosa.{uuid4().hex}@example.com"
    await sign_up(desktop, email)
    main = desktop.get_by_role("main")
    for days_ago, text in ((0, "Trial: 7 days remaining"), (5.1, "Trial: 2 days remaining"), (7.5, "Trial: Last day")):
        await set_trial_start(deployment, email, days_ago)
        for path in ("/dashboard", "/dashboard/settings/billing", "/dashboard/settings"):
            await desktop.goto(path)
            await expect(main.get_by_text(text, exact=True)).to_be_visible()

    await set_trial_start(deployment, email, 8)
    await desktop.goto("/dashboard")

    await expect(main.get_by_text("Your free trial has ended")).to_be_visible()
    await expect(main.get_by_text("Trial: Last day")).to_have_count(0)


@pytest.mark.accept("TRIAL-10")
async def test_after_the_trial_nothing_is_locked(deployment: Deployment, company: AsyncCompany) -> None:
    await set_trial_start(deployment, company.email, 30)
    [trial] = (await company.request("GET", "/rest/v1/trials")).json()
    assert trial["is_active"] is False

    waiver_id = await company.create_signed_waiver("gil@example.com")
    email = {"to": "gil@example.com", "subject": "Please sign", "body": "See you on Saturday!"}
    email_response = await company.request("POST", "/functions/v1/send-email", email)
    document = await company.download_document(waiver_id)
    evidence_pack = await company.request("POST", "/functions/v1/evidence-pack", {"waiver_id": waiver_id})
    csv_export = await company.request("GET", "/rest/v1/signed_waivers?select=id,signer_name", accept="text/csv")

    assert email_response.json()["status"] in ("delivered", "sending")
    assert document.startswith(b"%PDF")
    assert evidence_pack.content.startswith(b"PK")
    assert f'{waiver_id},"Gil Okafor"' in csv_export.text
