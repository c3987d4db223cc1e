"""If the server cannot create a session, the email contains the link of the template, with which a guest can sign."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.e2e.company import Company, fill_in_recipient, open_signed_in
from tests.e2e.conftest import Deployment
from tests.e2e.faults import broken_database
from tests.e2e.guest import click_sign, draw_with_mouse, enter_signer_details, expect_signed
from tests.mail_server import html_body, plain_body

SUBJECT = "Please sign: Photography Release Waiver"
BREAK_SESSIONS = """
    create function public.fail_write() returns trigger language plpgsql as $$
    begin raise exception using errcode = 'disk_full', message = 'The disk is full.'; end $$;
    create trigger fail_write before insert on waivers.sessions for each row
        when (new.recipient_email = 'ida@example.com') execute function public.fail_write();
"""
REPAIR_SESSIONS = "drop trigger fail_write on waivers.sessions; drop function public.fail_write()"


@pytest.mark.accept("MAIL-17")
async def test_an_email_without_a_session_contains_the_link_of_the_template(
    deployment: Deployment, company: Company, desktop: Page, phone: Page
) -> None:
    page = desktop
    await open_signed_in(page, company, "/dashboard/waivers")
    async with broken_database(deployment.server, BREAK_SESSIONS, REPAIR_SESSIONS):
        await page.get_by_role("button", name="Send Photography Release").click()
        dialog = page.get_by_role("dialog", name="Send Waiver")
        await fill_in_recipient(dialog, "Ida Berg", "ida@example.com")
        await dialog.get_by_role("button", name="Send Waiver").click()
        email = await deployment.wait_for_email(SUBJECT)
        await expect(page.get_by_text("Waiver Sent Successfully").first).to_be_visible()

    company_id = company.client.get("/rest/v1/companies?select=id", headers=company.headers).json()[0]["id"]
    link = f"{deployment.url}/waivers/sign/template-photography-release?company={company_id}"
    assert email["To"] == "ida@example.com"
    assert re.findall(r"https?://\S+", plain_body(email)) == [link]
    assert f'href="{link}"' in html_body(email)

    await phone.goto(link)
    await enter_signer_details(phone, "Ida Berg")
    await draw_with_mouse(phone)
    await click_sign(phone)
    await expect_signed(phone)
    signed = company.client.get("/rest/v1/signed_waivers?select=signer_name", headers=company.headers).json()
    assert signed == [{"signer_name": "Ida Berg"}]
