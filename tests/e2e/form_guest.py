"""A guest who fills in the form of a waiver on a phone, step by step."""

import re
from datetime import date

from playwright.async_api import Locator, Page, expect

from tests.e2e.accessibility import axe_violations_in_both_themes
from tests.e2e.guest import ZIGZAG


def birth_date(age: int) -> str:
    """Returns the birth date of someone who turned this age on January 1 of this year."""
    return date(date.today().year - age, 1, 1).isoformat()


async def expect_step(page: Page, title: str) -> None:
    await expect(page.get_by_role("heading", level=2, name=title)).to_be_visible()
    assert await axe_violations_in_both_themes(page) == []


async def go_on(page: Page) -> None:
    await page.get_by_role("button", name="Continue").click()


async def add_child(page: Page, name: str, age: int) -> None:
    await page.get_by_role("button", name=re.compile("^Add (a|another) child$")).click()
    child = page.get_by_role("group", name="Child").last
    # The name field of the new child has the focus, so the guest can type at once.
    await expect(child.get_by_label("Full name")).to_be_focused()
    await page.keyboard.type(name)
    await child.get_by_label("Birth date").fill(birth_date(age))


async def confirm_guardian(page: Page, relationship: str) -> None:
    await page.get_by_label("How are you related to the children?").fill(relationship)
    await page.get_by_role("checkbox", name="I am their parent or legal guardian").check()


async def answer(page: Page, question: str, choice: str) -> None:
    await page.get_by_role("group", name=question).get_by_label(choice, exact=True).check()


async def fill_in_emergency_contact(page: Page) -> None:
    contact = page.get_by_role("group", name="Emergency contact")
    await contact.get_by_label("Name").fill("Ana Okafor")
    await contact.get_by_label("Phone").fill("+1 555 0100")


async def draw_signature_of(page: Page, name: str) -> None:
    """Draws with the mouse on the signature pad of this person."""
    pad: Locator = page.get_by_role("group", name=f"Signature of {name}").get_by_role("img")
    await pad.evaluate("(pad) => pad.scrollIntoView({ block: 'center' })")
    box = await pad.bounding_box()
    assert box is not None
    points = [(box["x"] + across * box["width"], box["y"] + down * box["height"]) for across, down in ZIGZAG]
    await page.mouse.move(*points[0])
    await page.mouse.down()
    for point in points[1:]:
        await page.mouse.move(*point)
    await page.mouse.up()


async def agree_and_sign(page: Page) -> None:
    await page.locator("[name=consent]").check()
    await page.get_by_role("button", name="Sign Waiver").click()
