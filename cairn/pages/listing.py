"""What a search engine asks for first: which pages there are, and which are nobody's business."""

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape

from cairn.pages.headers import file_headers
from cairn.pages.page import Page, page_of

_CANONICAL = re.compile(r'<link rel="canonical" href="([^"]+)"')


def listed(pages: Iterable[Page], site_url: str) -> dict[str, Page]:
    """`/sitemap.xml` and `/robots.txt`."""
    return {
        "/sitemap.xml": page_of(sitemap(pages), file_headers("application/xml", for_ever=False)),
        "/robots.txt": page_of(robots(site_url), file_headers("text/plain", for_ever=False)),
    }


def sitemap(pages: Iterable[Page]) -> bytes:
    """Every page that names an address as its own."""
    found = {match[1] for page in pages if (match := _CANONICAL.search(_html(page)))}
    places = "".join(f"  <url><loc>{escape(url)}</loc></url>\n" for url in sorted(found))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{places}</urlset>\n'
    ).encode()


def robots(site_url: str) -> bytes:
    closed = ("/dashboard", "/guest-dashboard", "/waivers/sign/", "/checkout", "/auth/v1/", "/rest/v1/")
    rules = "".join(f"Disallow: {path}\n" for path in closed)
    return f"User-agent: *\n{rules}Allow: /\n\nSitemap: {site_url}/sitemap.xml\n".encode()


def _html(page: Page) -> str:
    return page.body.decode() if page.headers["Content-Type"].startswith("text/html") else ""
