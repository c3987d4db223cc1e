"""Reads the files that `make web` built."""

import mimetypes
from collections.abc import Mapping
from html import escape
from pathlib import Path

from cairn.pages.headers import file_headers, html_headers
from cairn.pages.page import Page, static_page

# The MIME tables of some systems do not contain these types.
_MEDIA_TYPES = {
    ".avif": "image/avif",
    ".vtt": "text/vtt",
    ".webm": "video/webm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_BROTLI_SUFFIX = ".br"
# The placeholders of these files are replaced as well: the blog feed contains absolute URLs, and the script that shows
# receipts on the front page contains the public key.
_FILES_WITH_PLACEHOLDERS = (".xml", "/receipts.js")


def read_build(folder: Path, placeholders: Mapping[str, str], *, site_url: str) -> dict[str, Page]:
    """Returns the pages by path. `placeholders` maps texts in the built files to the settings that replace them."""
    files = {f"/{path.relative_to(folder).as_posix()}": path for path in folder.rglob("*") if path.is_file()}
    return {
        name: _page(name, path, placeholders, site_url=site_url)
        for name, path in files.items()
        if not name.endswith(_BROTLI_SUFFIX)
    }


def fill_placeholders(html: str, placeholders: Mapping[str, str]) -> str:
    for placeholder, value in placeholders.items():
        html = html.replace(placeholder, escape(value))
    return html


def _page(name: str, path: Path, placeholders: Mapping[str, str], *, site_url: str) -> Page:
    if path.suffix == ".html":
        html = fill_placeholders(path.read_text("utf-8"), placeholders)
        return static_page(html.encode(), html_headers(html, site_url=site_url))
    body = path.read_bytes()
    if name.endswith(_FILES_WITH_PLACEHOLDERS):
        body = fill_placeholders(body.decode(), placeholders).encode()
    media_type = _MEDIA_TYPES.get(path.suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    compressed = path.with_name(path.name + _BROTLI_SUFFIX)
    # The name of an asset contains a hash of its content, so the file never changes.
    headers = file_headers(media_type, immutable=name.startswith("/assets/"))
    return static_page(body, headers, compressed.read_bytes() if compressed.exists() else None)
