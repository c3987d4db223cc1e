"""The public pages: as the server sends them, and as Chromium shows them."""

from dataclasses import dataclass

import httpx
from lxml import html
from lxml.html import HtmlElement
from playwright.async_api import Page

ARTICLES = {
    "essential-business-waivers": "The waivers an outdoor business really needs",
    "digital-waivers-guide": "A guide to digital waivers",
    "best-practices": "A waiver people read, a record you can find",
    "case-studies": "Four mornings, worked through",
}
PLAIN_PAGES = {
    "/": "Put your waiver management on autopilot",
    "/features": "From “please sign this” to a record that holds",
    "/pricing": "Two plans, both whole",
    "/customers": "For people who take other people outside",
    "/about": "A stack of stones that says: this way is safe",
    "/contact": "Write to us",
    "/demo": "See it from your guest\u2019s side",
    "/privacy": "Privacy",
    "/terms": "Terms",
    "/security": "Security, without adjectives",
    "/blog": "Notes for people who take people outside",
    **{f"/blog/{slug}": title for slug, title in ARTICLES.items()},
}
SCRIPTED_PAGES = {
    "/signin": "Welcome to Cairn",
    "/signup": "Get started with Cairn",
    "/forgot-password": "A new password",
    "/verify": "Verify a document",
    "/checkout": "Secure Checkout",
}


# What is not seen is taken out. Blocks of data are never seen, and stay.
SHOWN = """() => {
    const unseen = [...document.body.querySelectorAll(":not(script)")].filter(
        (element) => !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
    for (const element of unseen) element.remove();
    return document.documentElement.outerHTML;
}"""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page, parsed."""

    tree: HtmlElement

    def __getitem__(self, xpath: str) -> list[HtmlElement]:
        found = self.tree.xpath(xpath)
        assert isinstance(found, list)
        return found

    def text(self, xpath: str = "//main") -> str:
        """Words as they are read, each run of blanks as one."""
        return " ".join(" ".join(element.itertext()) for element in self[xpath]).replace("\xa0", " ")

    def words(self, xpath: str = "//main") -> str:
        return " ".join(self.text(xpath).split())

    def links(self, xpath: str) -> list[str]:
        """Addresses of the links inside, in their order."""
        return [str(link.get("href")) for element in self[xpath] for link in element.iter("a")]


@dataclass(frozen=True, slots=True)
class Answer(Sheet):
    """The same with how it came."""

    response: httpx.Response


def read(client: httpx.Client, path: str) -> Answer:
    """What a reader without scripts gets."""
    response = client.get(path)
    return Answer(html.fromstring(response.text), response)


async def look(page: Page, path: str) -> Sheet:
    """What somebody in front of the screen sees of it."""
    await page.goto(path)
    return await shown(page)


async def shown(page: Page) -> Sheet:
    return Sheet(html.fromstring(await page.evaluate(SHOWN)))
