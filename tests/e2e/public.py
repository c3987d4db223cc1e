"""The public pages as a reader without scripts gets them: the served HTML, parsed."""

from dataclasses import dataclass

import httpx
from lxml import html
from lxml.html import HtmlElement

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


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page, read."""

    response: httpx.Response
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


def read(client: httpx.Client, path: str) -> Sheet:
    response = client.get(path)
    return Sheet(response, html.fromstring(response.text))
