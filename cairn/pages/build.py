"""Reading what `make web` built."""

import mimetypes
from collections.abc import Mapping
from html import escape
from pathlib import Path

from cairn.pages.headers import file_headers, html_headers
from cairn.pages.page import Page, page_of

# Not every machine's table has these.
_KINDS = {
    ".avif": "image/avif",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_READY = ".br"
# It names our pages by their whole addresses, so it is filled in as they are.
_FEED = ".xml"


def read_build(folder: Path, blanks: Mapping[str, str], *, secure: bool) -> dict[str, Page]:
    """By path. `blanks` are what the pages were built with in place of what only the operator knows."""
    files = {f"/{path.relative_to(folder).as_posix()}": path for path in folder.rglob("*") if path.is_file()}
    return {name: _page(name, path, blanks, secure=secure) for name, path in files.items() if not name.endswith(_READY)}


def filled(html: str, blanks: Mapping[str, str]) -> str:
    for blank, value in blanks.items():
        html = html.replace(blank, escape(value))
    return html


def _page(name: str, path: Path, blanks: Mapping[str, str], *, secure: bool) -> Page:
    if path.suffix == ".html":
        html = filled(path.read_text("utf-8"), blanks)
        return page_of(html.encode(), html_headers(html, secure=secure))
    body = path.read_bytes()
    if path.suffix == _FEED:
        body = filled(body.decode(), blanks).encode()
    kind = _KINDS.get(path.suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    ready = path.with_name(path.name + _READY)
    # Names of assets contain a hash of their content, so they never change.
    headers = file_headers(kind, for_ever=name.startswith("/assets/"))
    return page_of(body, headers, ready.read_bytes() if ready.exists() else None)
