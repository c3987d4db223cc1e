"""The public pages as the server sends them: whole without a script, light, findable, with no dead link."""

import gzip
import re
from collections.abc import Iterator, Mapping

import httpx
import pytest
from fontTools.ttLib import TTFont

from cairn.site import BUILD
from tests.e2e.conftest import Place
from tests.e2e.public import PLAIN_PAGES, SCRIPTED_PAGES, Sheet, read
from tests.structure.tree import ROOT

BUDGET = 15_000
WEB = ROOT / "web" / "app"
FONT = WEB / "fonts" / "inter-public.woff2"


@pytest.fixture
def visitor(place: Place) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=place.url) as client:
        yield client


@pytest.mark.parametrize(("path", "heading"), PLAIN_PAGES.items())
def test_a_public_page_is_whole_light_and_says_what_it_is(visitor: httpx.Client, path: str, heading: str) -> None:
    page = read(visitor, path)

    assert page.response.status_code == 200
    assert [" ".join(h1.text_content().split()) for h1 in page["//h1"]] == [heading]
    assert page["//script[not(@type='application/ld+json')]"] == []
    assert "script-src 'none'" in page.response.headers["content-security-policy"]
    assert len(gzip.compress(page.response.content)) <= BUDGET
    [description] = page["//meta[@name='description']/@content"]
    assert len(str(description)) > 40
    assert page["//link[@rel='canonical']/@href"] == [str(visitor.base_url).rstrip("/") + path]
    [picture] = page["//meta[@property='og:image']/@content"]
    assert visitor.get(str(picture)).headers["content-type"] == "image/png"
    # A letter outside the cut font would be drawn in another one.
    assert {ord(letter) for letter in page.text("//body").replace("\n", "")} <= set(TTFont(FONT).getBestCmap())
    assert "__CAIRN" not in page.response.text
    assert not re.search(r"__(VALUE|ERROR)_", page.response.text)


@pytest.mark.parametrize("path", SCRIPTED_PAGES)
def test_a_page_that_needs_a_script_says_so_where_there_is_none(visitor: httpx.Client, path: str) -> None:
    assert "This page needs JavaScript" in read(visitor, path).words("//noscript")


def test_search_engines_are_told_what_there_is(visitor: httpx.Client) -> None:
    listed = re.findall(r"<loc>(.*?)</loc>", visitor.get("/sitemap.xml").text)
    robots = visitor.get("/robots.txt").text

    open_to_all = {*PLAIN_PAGES, "/signin", "/signup", "/verify"}
    assert {str(visitor.base_url).rstrip("/") + path for path in open_to_all} == set(listed)
    assert f"Sitemap: {visitor.base_url.scheme}://127.0.0.1:{visitor.base_url.port}/sitemap.xml" in robots


def test_no_link_on_any_public_page_is_dead(visitor: httpx.Client) -> None:
    pages = {path: read(visitor, path) for path in [*PLAIN_PAGES, *SCRIPTED_PAGES, "/contact/sent", "/demo/sent"]}
    leads = {link.partition("#")[0] for page in pages.values() for link in page.links("//body")}
    own = {link for link in leads if link.startswith("/")}

    dead = {link for link in own if visitor.get(link).status_code != 200}

    assert dead == set()
    assert leads - own <= {"", "mailto:sales@localhost"}
    assert pages_without_their_fragments(pages) == {}


def test_no_address_the_app_or_a_letter_leads_to_is_dead(visitor: httpx.Client) -> None:
    led_to = set(re.findall(r'"(/[^"]*)"', (WEB / "paths.ts").read_text("utf-8")))
    for source in (ROOT / "cairn").rglob("*.py"):
        led_to |= set(re.findall(r'site_url\}(/[a-z/-]*[a-z])[?"]', source.read_text("utf-8")))
    routes = re.findall(r'route\("([^":*]+)"', (WEB / "routes.ts").read_text("utf-8"))

    dead = {path for path in led_to if visitor.get(path.partition("#")[0]).status_code != 200}
    unknown = {path for path in routes if visitor.get(f"/{path}").status_code != 200}

    # The page after sending is no route, and says so.
    assert dead == {"/dashboard/sent-waivers"}
    assert unknown == {"dev/ui"}


def test_the_page_of_pieces_is_only_for_those_who_build_with_them(visitor: httpx.Client) -> None:
    pieces = "Every component"
    assert pieces in (WEB / "routes" / "dev" / "ui.tsx").read_text("utf-8")

    assert visitor.get("/dev/ui").status_code == 404
    assert [script.name for script in (BUILD / "app").rglob("*.js") if pieces in script.read_text("utf-8")] == []


def pages_without_their_fragments(pages: Mapping[str, Sheet]) -> dict[str, list[str]]:
    """A link to a place on the same page that is not there."""
    lost = {
        path: [
            link
            for link in page.links("//body")
            if link.startswith("#") and not page[f"//*[@id='{link[1:]}']"]
        ]
        for path, page in pages.items()
    }  # fmt: skip
    # Sign-in and its neighbours have a frame of their own.
    return {path: links for path, links in lost.items() if links}
