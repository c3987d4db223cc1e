"""Help inside the company's rooms: pages to read, and a message that reaches the operator."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Page, expect

from tests.e2e.accessible import complaints
from tests.e2e.company import Company, enter, open_company
from tests.e2e.conftest import DESKTOP, PHONE, Place
from tests.e2e.guest import records
from tests.mail_server import plain


@pytest.fixture
def company(place: Place) -> Iterator[Company]:
    with open_company(place.served) as opened:
        yield opened


@pytest.mark.accept("ROUTE-26")
async def test_a_company_reads_looks_and_writes_to_support(place: Place, company: Company, desktop: Page) -> None:
    session = company.send("Ana Ortiz")
    await enter(desktop, company, "/dashboard/help/documentation")
    await desktop.get_by_role("link", name="Remind those who have not").click()
    await expect(desktop.get_by_role("region", name="Remind those who have not")).to_be_in_viewport()

    await desktop.goto("/dashboard/help/tutorials")
    await expect(desktop.get_by_role("region")).to_have_count(5)
    for picture in await desktop.get_by_role("main").get_by_role("img").all():
        await picture.scroll_into_view_if_needed()
        assert await picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    await desktop.set_viewport_size(PHONE)
    for picture in await desktop.get_by_role("main").get_by_role("img").all():
        await picture.scroll_into_view_if_needed()
        wide, tall = await picture.evaluate("image => image.decode().then(() => [image.width, image.height])")
        assert tall > wide > 280, "as one sees it on a phone"
    await desktop.set_viewport_size(DESKTOP)

    await desktop.goto("/dashboard/help/support")
    await desktop.get_by_label("Subject").fill("A seal is red")
    await desktop.get_by_label("Message").fill("Ana's waiver says <b>changed</b>.\n\nWhat did I do wrong?")
    await desktop.get_by_label("Waiver id").fill(session)
    await desktop.reload()
    await desktop.get_by_role("button", name="Send message").click()
    await expect(desktop.get_by_text("We have your message")).to_be_focused()
    await expect(desktop.get_by_role("main")).to_contain_text(f"comes to {company.email}")
    assert await complaints(desktop) == []

    async with records(place) as connection:
        kept = await connection.fetchrow(
            """
            select m.name, m.subject, m.message, m.waiver, c.name as company
              from inquiries.messages m join companies c on c.id = m.company_id
             where m.kind = 'support' and m.email = $1
            """,
            company.email,
        )
    assert kept is not None
    words = "Ana's waiver says <b>changed</b>.\n\nWhat did I do wrong?"
    assert tuple(kept) == ("Rosa Marín", "A seal is red", words, session, "Rio Rafting")
    letter = await place.letter("Support: A seal is red")
    assert (letter["To"], letter["Reply-To"]) == ("operator@localhost", company.email)
    assert words in plain(letter).replace("\r\n", "\n")
    assert f"Waiver: {session}" in plain(letter)
