"""Builds `/sitemap.xml` and `/robots.txt` for search engines."""

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape

from cairn.pages.headers import file_headers
from cairn.pages.page import Page, static_page

_CANONICAL = re.compile(r'<link rel="canonical" href="([^"]+)"')


def search_engine_files(pages: Iterable[Page], site_url: str) -> dict[str, Page]:
    return {
        "/sitemap.xml": static_page(sitemap(pages), file_headers("application/xml", immutable=False)),
        "/robots.txt": static_page(robots(site_url), file_headers("text/plain", immutable=False)),
    }


def sitemap(pages: Iterable[Page]) -> bytes:
    """Lists every page that has a canonical URL."""
    urls = {match[1] for page in pages if (match := _CANONICAL.search(_html(page)))}
    entries = "".join(f"  <url><loc>{escape(url)}</loc></url>\n" for url in sorted(urls))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    ).encode()


def robots(site_url: str) -> bytes:
    private_paths = ("/dashboard", "/guest-dashboard", "/waivers/sign/", "/checkout", "/auth/v1/", "/rest/v1/")
    rules = "".join(f"Disallow: {path}\n" for path in private_paths)
    return f"User-agent: *\n{rules}Allow: /\n\nSitemap: {site_url}/sitemap.xml\n".encode()


def _html(page: Page) -> str:
    return page.body.decode() if page.headers["Content-Type"].startswith("text/html") else ""
