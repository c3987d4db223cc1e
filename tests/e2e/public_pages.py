"""Lists the public pages and parses them, as the server sends them and as Chromium shows them."""

import httpx
from lxml import html
from lxml.html import HtmlElement
from playwright.async_api import Page

from cairn.kit import frozen_dataclass

# This maps the slug of each blog article to its title.
ARTICLES = {
    "essential-business-waivers": "The waivers an outdoor business really needs",
    "digital-waivers-guide": "A guide to digital waivers",
    "best-practices": "A waiver people read, a record you can find",
    "case-studies": "Four mornings, worked through",
    "legal-aspects": "When a waiver is tested in court",
    "integration-guide": "Connecting your booking system",
    "customer-experience": "The first two minutes of a tour",
}
# This maps each page without scripts to its heading.
PLAIN_PAGES = {
    "/": "Put your waiver management on autopilot",
    "/features": "From “please sign this” to a record that holds",
    "/pricing": "Two plans, both complete",
    "/customers": "For people who take other people outside",
    "/about": "A stack of stones that says: this way is safe",
    "/contact": "Write to us",
    "/demo": "See it from your guest\u2019s side",
    "/privacy": "Privacy",
    "/terms": "Terms",
    "/security": "Security, without adjectives",
    "/blog": "Notes for guides and outfitters",
    **{f"/blog/{slug}": title for slug, title in ARTICLES.items()},
}
# This maps each page that needs scripts to its heading.
SCRIPTED_PAGES = {
    "/signin": "Welcome to Cairn",
    "/signup": "Get started with Cairn",
    "/forgot-password": "A new password",
    "/verify": "Verify a document",
    "/checkout": "Secure Checkout",
}
# This function returns the HTML without invisible elements. It keeps <script>, which contains structured data.
VISIBLE_HTML = """() => {
    const hidden = [...document.body.querySelectorAll(":not(script)")].filter(
        (element) => !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
    for (const element of hidden) element.remove();
    return document.documentElement.outerHTML;
}"""


@frozen_dataclass
class ParsedPage:
    tree: HtmlElement

    def __getitem__(self, xpath: str) -> list[HtmlElement]:
        elements = self.tree.xpath(xpath)
        assert isinstance(elements, list)
        return elements

    def text(self, xpath: str = "//main") -> str:
        return " ".join(" ".join(element.itertext()) for element in self[xpath]).replace("\xa0", " ")

    def normalized_text(self, xpath: str = "//main") -> str:
        """Returns the text with every run of whitespace replaced by one space."""
        return " ".join(self.text(xpath).split())

    def links(self, xpath: str) -> list[str]:
        """Returns the addresses of the links inside the matching elements, in order."""
        return [str(link.get("href")) for element in self[xpath] for link in element.iter("a")]


@frozen_dataclass
class FetchedPage(ParsedPage):
    response: httpx.Response


def fetch_page(client: httpx.Client, path: str) -> FetchedPage:
    """Fetches a page without running its scripts."""
    response = client.get(path)
    return FetchedPage(html.fromstring(response.text), response)


async def open_and_parse(page: Page, path: str) -> ParsedPage:
    await page.goto(path)
    return await parse_visible(page)


async def parse_visible(page: Page) -> ParsedPage:
    return ParsedPage(html.fromstring(await page.evaluate(VISIBLE_HTML)))
