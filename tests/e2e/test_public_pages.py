"""The server sends public pages that are complete without scripts, small, in the sitemap, and free of dead links."""

import gzip
import re
from collections.abc import Mapping

import httpx
import pytest
from fontTools.ttLib import TTFont

from cairn.site import BUILD_FOLDER
from tests.e2e.public_pages import PLAIN_PAGES, SCRIPTED_PAGES, ParsedPage, fetch_page
from tests.structure.tree import ROOT

MAX_GZIPPED_BYTES = 15_000
WEB = ROOT / "web" / "app"
FONT = WEB / "fonts" / "inter-public.woff2"


@pytest.mark.parametrize(("path", "heading"), PLAIN_PAGES.items())
def test_a_public_page_is_complete_and_small_and_has_a_description(
    client: httpx.Client, path: str, heading: str
) -> None:
    page = fetch_page(client, path)

    assert page.response.status_code == 200
    assert [" ".join(h1.text_content().split()) for h1 in page["//h1"]] == [heading]
    scripts = [script.text_content() for script in page["//script[not(@type='application/ld+json')]"]]
    if path == "/":
        # The only script loads the receipts of waivers that were just signed in this browser, and otherwise nothing.
        assert [script.startswith("try{/cairn-receipt:/.test(") and "receipts.js" in script for script in scripts] == [
            True
        ]
    else:
        assert scripts == []
        assert "script-src 'none'" in page.response.headers["content-security-policy"]
    assert "set-cookie" not in page.response.headers
    assert len(gzip.compress(page.response.content)) <= MAX_GZIPPED_BYTES
    [description] = page["//meta[@name='description']/@content"]
    assert len(str(description)) > 40
    assert page["//link[@rel='canonical']/@href"] == [str(client.base_url).rstrip("/") + path]
    [picture] = page["//meta[@property='og:image']/@content"]
    assert client.get(str(picture)).headers["content-type"] == "image/png"
    # A character outside the subset font would be drawn in another font.
    assert {ord(character) for character in page.text("//body").replace("\n", "")} <= set(TTFont(FONT).getBestCmap())
    assert "__CAIRN" not in page.response.text
    assert not re.search(r"__(VALUE|ERROR)_", page.response.text)


@pytest.mark.parametrize("path", SCRIPTED_PAGES)
def test_a_page_that_needs_scripts_says_so_when_they_are_disabled(client: httpx.Client, path: str) -> None:
    assert "This page needs JavaScript" in fetch_page(client, path).normalized_text("//noscript")


def test_the_sitemap_lists_the_public_pages(client: httpx.Client) -> None:
    sitemap_urls = re.findall(r"<loc>(.*?)</loc>", client.get("/sitemap.xml").text)
    robots = client.get("/robots.txt").text

    public_paths = {*PLAIN_PAGES, "/signin", "/signup", "/verify"}
    assert {str(client.base_url).rstrip("/") + path for path in public_paths} == set(sitemap_urls)
    assert f"Sitemap: {client.base_url.scheme}://127.0.0.1:{client.base_url.port}/sitemap.xml" in robots


def test_no_public_page_has_a_dead_link(client: httpx.Client) -> None:
    pages = {path: fetch_page(client, path) for path in [*PLAIN_PAGES, *SCRIPTED_PAGES, "/contact/sent", "/demo/sent"]}
    links = {link.partition("#")[0] for page in pages.values() for link in page.links("//body")}
    own_links = {link for link in links if link.startswith("/")}

    dead_links = {link for link in own_links if client.get(link).status_code != 200}

    assert dead_links == set()
    assert links - own_links <= {"", "mailto:sales@localhost"}
    assert dead_fragments(pages) == {}


def test_no_address_in_the_app_or_in_an_email_is_dead(client: httpx.Client) -> None:
    addresses = set(re.findall(r'"(/[^"]*)"', (WEB / "paths.ts").read_text("utf-8")))
    for source in (ROOT / "cairn").rglob("*.py"):
        addresses |= set(re.findall(r'site_url\}(/[a-z/-]*[a-z])[?"]', source.read_text("utf-8")))
    routes = re.findall(r'route\("([^":*]+)"', (WEB / "routes.ts").read_text("utf-8"))

    dead_addresses = {path for path in addresses if client.get(path.partition("#")[0]).status_code != 200}
    dead_routes = {path for path in routes if client.get(f"/{path}").status_code != 200}

    # The app shows this page after sending. It is not a route, so the server returns 404 on purpose.
    assert dead_addresses == {"/dashboard/sent-waivers"}
    assert dead_routes == {"dev/ui"}


def test_the_component_catalog_is_not_in_the_build(client: httpx.Client) -> None:
    heading = "Every component"
    assert heading in (WEB / "routes" / "dev" / "ui.tsx").read_text("utf-8")

    assert client.get("/dev/ui").status_code == 404
    assert [
        script.name for script in (BUILD_FOLDER / "app").rglob("*.js") if heading in script.read_text("utf-8")
    ] == []


def dead_fragments(pages: Mapping[str, ParsedPage]) -> dict[str, list[str]]:
    """Returns, for each page, the links to an element that the page does not have."""
    dead_links = {
        path: [
            link
            for link in page.links("//body")
            if link.startswith("#") and not page[f"//*[@id='{link[1:]}']"]
        ]
        for path, page in pages.items()
    }  # fmt: skip
    return {path: links for path, links in dead_links.items() if links}
