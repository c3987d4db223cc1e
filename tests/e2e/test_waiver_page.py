"""Each waiver has its own page with everything that happened to it and everything that the company can do with it."""

import re
from uuid import uuid4

import pytest
from playwright.async_api import Page, expect

from tests.e2e.accessibility import axe_violations
from tests.e2e.company import Company, open_signed_in, registered_company
from tests.e2e.conftest import Deployment
from tests.e2e.guest import click_sign, draw_with_mouse, enter_signer_details, expect_signed
from tests.e2e.test_dashboard import waiver_rows
from tests.e2e.test_waiver_acts import (
    DIRECTORY,
    back_to_list,
    history,
    link_in,
    open_waiver,
    send_waiver,
    wait_for_email_to,
)
from tests.mail_server import plain_body

WIDTHS = [320, 390, 768, 1024, 1280, 1920]


@pytest.mark.accept("APP-10")
async def test_the_page_tells_the_whole_story_of_a_waiver(
    company: Company, desktop: Page, phone: Page, deployment: Deployment
) -> None:
    email = f"ana.{uuid4().hex}@example.com"
    await send_waiver(desktop, company, "Ana Ortiz", email)
    link = link_in(plain_body(await wait_for_email_to(deployment, email)))
    await desktop.goto(f"{DIRECTORY}?status=pending")
    await desktop.get_by_role("checkbox", name="Select waiver of Ana Ortiz").check()
    await desktop.get_by_role("button", name="Remind 1").click()
    await deployment.wait_for_email("Reminder: please sign General Liability Waiver", containing=link)
    await open_waiver(desktop, "Ana Ortiz")
    await expect(desktop.get_by_text("This waiver has not been signed yet.", exact=True)).to_be_visible()
    await expect(desktop.get_by_role("region", name="Waiver content")).to_contain_text("Ana Ortiz")

    await phone.goto(link)
    await enter_signer_details(phone, "Ana Ortiz")
    await draw_with_mouse(phone)
    await click_sign(phone)
    await expect_signed(phone)

    # Without a reload, the open page becomes the page of a signed waiver.
    await expect(history(desktop).filter(has_text="Document sealed")).to_be_visible()
    await deployment.wait_for_email("Your signed waiver: General Liability Waiver", containing="Hi Ana,")
    async with desktop.expect_download() as download:
        await desktop.get_by_role("button", name="Download PDF").click()
    await download.value
    await expect(history(desktop).last).to_contain_text("Document downloaded")
    titles = [text.split("\n")[0] for text in await history(desktop).all_inner_texts()]
    expected = [
        "Waiver created",
        "Email written",
        "Email accepted by the mail server",
        "Reminder written",
        "Reminder accepted by the mail server",
        "Link opened",
        "Signed",
        "Document sealed",
        "Copy for the signer accepted by the mail server",
        "Document downloaded",
    ]
    assert [title for title in titles if title in expected] == expected
    await expect(desktop).to_have_title("Ana Ortiz · General Liability Waiver · Cairn")


@pytest.mark.accept("APP-10")
async def test_the_view_link_opens_the_page_in_every_state_and_the_page_leads_back_to_the_filtered_list(
    company: Company, desktop: Page
) -> None:
    company.sign_as_guest(company.send_to("Ana Ortiz"), "Ana Ortiz")
    cancelled = company.send_to("Bo Lind")
    company.send_to("Noor Haddad")
    cancellation = {"session_id": cancelled, "reason": "The trip was moved."}
    company.client.post("/rest/v1/rpc/cancel_waiver", json=cancellation, headers=company.headers).raise_for_status()
    await open_signed_in(desktop, company, f"{DIRECTORY}?q=a&sort=a-z")

    for guest, status, act in [
        ("Ana Ortiz", "Signed", "Download PDF"),
        ("Bo Lind", "Cancelled", None),
        ("Noor Haddad", "Pending", "Copy link"),
    ]:
        await open_waiver(desktop, guest)
        await expect(desktop.get_by_role("main").get_by_text(status, exact=True).first).to_be_visible()
        await expect(desktop.get_by_role("group", name="Actions")).to_have_count(0 if act is None else 1)
        if act is not None:
            await expect(desktop.get_by_role("button", name=act)).to_be_visible()
        await expect(history(desktop).first).to_contain_text("Waiver created")
        for width in WIDTHS:
            await desktop.set_viewport_size({"width": width, "height": 800})
            assert await desktop.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{guest} at {width}"
        assert await axe_violations(desktop) == []
        await back_to_list(desktop)
        await expect(desktop).to_have_url(re.compile(r"/dashboard/waiver-management\?q=a&sort=a-z$"))


@pytest.mark.accept("APP-10")
async def test_going_back_to_the_list_restores_its_scroll_position(company: Company, desktop: Page) -> None:
    for number in range(40):
        company.send_to(f"Guest{number:02} Ortiz")
    await open_signed_in(desktop, company, f"{DIRECTORY}?sort=a-z")
    await expect(waiver_rows(desktop).first).to_be_visible()
    await desktop.mouse.wheel(0, 1400)
    row = desktop.get_by_role("link", name="View waiver of Guest25 Ortiz")
    await expect(row).to_be_in_viewport()
    scrolled = await desktop.evaluate("scrollY")

    await row.click()
    await expect(desktop.get_by_role("heading", level=1, name="Guest25 Ortiz")).to_be_visible()
    assert await desktop.evaluate("scrollY") == 0
    await back_to_list(desktop)

    await expect(row).to_be_in_viewport()
    assert await desktop.evaluate("scrollY") == scrolled


@pytest.mark.accept("APP-11")
async def test_the_waiver_of_a_rival_and_an_unknown_one_are_not_found(
    company: Company, desktop: Page, deployment: Deployment
) -> None:
    pending, signed = company.send_to("Ana Ortiz"), company.send_to("Bo Lind")
    company.sign_as_guest(signed, "Bo Lind")
    with registered_company(deployment.server) as mallory:
        for waiver_id in (pending, signed, str(uuid4())):
            await open_signed_in(desktop, mallory, f"{DIRECTORY}/{waiver_id}")
            await expect(desktop.get_by_role("heading", name="There is no such waiver")).to_be_visible()
            await expect(desktop).to_have_title("Waiver not found · Cairn")
            await expect(desktop.get_by_role("main")).not_to_contain_text(re.compile("Ana|Bo Lind"))
        assert await axe_violations(desktop) == []
        for path, status in {f"{DIRECTORY}/{pending}": 200, f"{DIRECTORY}/nonsense": 404}.items():
            response = await desktop.goto(path)
            assert response is not None
            assert response.status == status
        await expect(desktop.get_by_role("heading", name="There is no such waiver")).to_be_visible()
