"""Waiver Management shows the names of the guests on every screen, from a small phone to a large monitor."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.accessibility import axe_violations
from tests.e2e.company import Company, open_signed_in
from tests.e2e.test_dashboard import waiver_rows

WIDTHS = [320, 390, 640, 703, 704, 768, 834, 1023, 1024, 1180, 1231, 1232, 1280, 1920]
GUESTS = ["Priya Raghunathan", "Maximiliana Featherstonehaugh", "Bo Lind", "Ana María Fernández de la Vega Ortiz"]
# On the smallest phone, longer names do not fit into two lines.
LONGEST_ON_A_SMALL_PHONE = 20
# Returns the names in the first column that are cut off or are less than 90 pixels wide.
CUT_NAMES = """() => [...document.querySelectorAll('tbody tr[data-index] td:has(+ td) > [dir="auto"]')]
    .filter((name) => name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1
        || name.getBoundingClientRect().width < 90)
    .map((name) => name.textContent)"""
# Returns the texts of the cells and headings whose content continues beyond their right edge.
OVERFLOWING = """() => [...document.querySelectorAll('table thead th, tbody tr[data-index] td:has(+ td)')]
    .filter((cell) => [...cell.querySelectorAll(":scope > *, :scope > * > span")].some((part) => cell.textContent
        && part.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1))
    .map((cell) => cell.textContent)"""
# Returns the different heights of the rows. The list can only place rows that all have the expected height.
HEIGHTS = "() => [...new Set([...document.querySelectorAll('tr[data-index]')].map((row) => row.offsetHeight))]"


@pytest.mark.accept("APP-20")
async def test_no_name_is_cut_on_any_screen(company: Company, desktop: Page) -> None:
    for guest in GUESTS:
        company.send_to(guest, "template-medical-emergency-authorization")
    company.sign_as_guest(company.send_to("Noor Haddad"), "Noor Haddad")
    await open_signed_in(desktop, company, "/dashboard/waiver-management")
    await expect(waiver_rows(desktop)).to_have_count(len(GUESTS) + 1)

    for width in WIDTHS:
        await desktop.set_viewport_size({"width": width, "height": 900})
        height = 112 if width < 704 else 92 if width < 1232 else 64
        # The rows have their new height after the next render.
        await desktop.wait_for_function(f"() => ({HEIGHTS})()[0] === {height}")
        assert await desktop.evaluate(HEIGHTS) == [height], f"at {width}"
        cut_names: list[str] = await desktop.evaluate(CUT_NAMES)
        assert [name for name in cut_names if width > 320 or len(name) <= LONGEST_ON_A_SMALL_PHONE] == [], f"at {width}"
        assert await desktop.evaluate(OVERFLOWING) == [], f"at {width}"
        assert await desktop.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"at {width}"
        await expect(desktop.get_by_role("columnheader", name="Template")).to_have_count(1 if width >= 1232 else 0)
        await expect(waiver_rows(desktop).filter(has_text="Bo Lind")).to_contain_text("Medical Emergency Authorization")
        if width in (390, 768, 1280):
            assert await axe_violations(desktop) == [], f"at {width}"
