"""The pages: the built React application, and the signing document filled in for whoever opens its link."""

import base64
import gzip
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from cairn.db import Database, DatabaseBusy, DatabaseUnreachable
from cairn.waivers import qr_picture, show_session, show_template

BUILD = Path(__file__).parent / "web_build"
SIGNING = "/waivers/sign/"
# Pages of the application that exist only in the browser; every other unknown path is a 404 with the same body.
APP_PATHS = frozenset(
    {
        "/dashboard",
        "/dashboard/waivers",
        "/dashboard/waiver-management",
        "/dashboard/settings",
        "/dashboard/settings/billing",
        "/dashboard/settings/webhooks",
        "/dashboard/settings/zapier",
        "/dashboard/settings/html-embed",
        "/dashboard/settings/api-connections",
        "/dashboard/help/documentation",
        "/dashboard/help/support",
        "/dashboard/help/tutorials",
        "/dashboard/profile",
        "/dashboard/user-profile",
        "/guest-dashboard",
        "/guest-dashboard/profile",
        "/sent-waivers",
    }
)
_FALLBACK = "/__spa-fallback.html"
_KEY_PLACE = "__CAIRN_ANON_KEY__"
_WAIVER_PLACE = "__CAIRN_WAIVER__"
_LONGEST_ID = 100
_LONGEST_ADDRESS = 500
_QR = "/qr.svg"
_UNAVAILABLE = '{"kind":"unavailable"}'
_INLINE_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*application/(?:ld\+)?json)[^>]*>(.*?)</script>", re.DOTALL)
_COMPRESSIBLE = ("text/", "application/javascript", "application/json", "application/manifest", "image/svg")


@dataclass(frozen=True, slots=True)
class Page:
    """A file of the build, ready to be sent: held whole, compressed once."""

    body: bytes
    compressed: bytes | None
    headers: Mapping[str, str]

    def response(self, request: Request, status: int = 200) -> Response:
        if status == 200 and request.headers.get("if-none-match") == self.headers.get("ETag"):
            return Response(status_code=304, headers=dict(self.headers))
        if self.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.compressed, status, {**self.headers, "Content-Encoding": "gzip"})
        return Response(self.body, status, dict(self.headers))


class Site:
    def __init__(self, database: Database, *, anon_key: str, build: Path = BUILD) -> None:
        self._database = database
        self._pages = {path: _page(path, body) for path, body in _built_files(build / "app", anon_key).items()}
        self._signing = _signing_document(build / "sign" / "index.html", anon_key)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError(f"the site does not speak {scope['type']}")
        response = await self._answer(Request(scope, receive))
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return PlainTextResponse("Method not allowed", 405, {"Allow": "GET, HEAD"})
        path = request.url.path.rstrip("/") or "/"
        if path.startswith(SIGNING) and path.endswith(_QR):
            return _address_as_picture(request)
        if path.startswith(SIGNING) and self._signing is not None:
            return await self._signing_page(request, path.removeprefix(SIGNING))
        page = self._pages.get(path) or self._pages.get(f"{path.rstrip('/')}/index.html")
        if page is not None:
            return page.response(request)
        fallback = self._pages.get(_FALLBACK)
        if fallback is None:
            return PlainTextResponse("The web application is not built yet: run `make web`.", 503)
        return fallback.response(request, 200 if path in APP_PATHS else 404)

    async def _signing_page(self, request: Request, rest: str) -> Response:
        document, status = self._signing or "", 200
        kind, _, session_id = rest.partition("/")
        what = "session" if kind == "session" and session_id else "template"
        try:
            data = await self._waiver(what, session_id or rest, request.query_params.get("company"))
            if data is None:
                data, status = f'{{"kind":"missing","what":"{what}"}}', 404
        except (DatabaseUnreachable, DatabaseBusy):
            # The page itself still opens, and asks again by itself.
            data, status = _UNAVAILABLE, 503
        body = document.replace(_WAIVER_PLACE, data.replace("<", "\\u003c"), 1).encode()
        # The address opens the waiver, so it is neither cached by others nor told to them.
        headers = {**_html_headers(document), "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
        return _page_of(body, headers).response(request, status)

    async def _waiver(self, what: str, row_id: str, company: str | None) -> str | None:
        if len(row_id) > _LONGEST_ID or not row_id.isprintable():
            return None
        if what == "session":
            return await show_session(self._database, row_id)
        return await show_template(self._database, row_id, _uuid(company))


def _address_as_picture(request: Request) -> Response:
    """The address of the signing page beside which it is asked for, to go on with it on a phone."""
    here = str(request.url.replace(path=request.url.path.rstrip("/").removesuffix(_QR)))
    if len(here) > _LONGEST_ADDRESS:
        return PlainTextResponse("Not found", 404)
    headers = {"Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff"}
    return Response(qr_picture(here), media_type="image/svg+xml", headers=headers)


def _built_files(folder: Path, anon_key: str) -> dict[str, bytes]:
    files = {f"/{path.relative_to(folder).as_posix()}": path for path in folder.rglob("*") if path.is_file()}
    return {name: _with_key(path, anon_key) for name, path in files.items()}


def _with_key(path: Path, anon_key: str) -> bytes:
    body = path.read_bytes()
    return body.replace(_KEY_PLACE.encode(), anon_key.encode()) if path.suffix == ".html" else body


def _signing_document(path: Path, anon_key: str) -> str | None:
    return _with_key(path, anon_key).decode() if path.exists() else None


def _page(path: str, body: bytes) -> Page:
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    if kind == "text/html":
        return _page_of(body, _html_headers(body.decode()))
    for_ever = path.startswith("/assets/")
    return _page_of(
        body,
        {
            "Content-Type": f"{kind}; charset=utf-8" if kind.startswith("text/") else kind,
            # Names of assets contain a hash of their content, so they never change.
            "Cache-Control": "public, max-age=31536000, immutable" if for_ever else "no-cache",
            "X-Content-Type-Options": "nosniff",
        },
    )


def _page_of(body: bytes, headers: Mapping[str, str]) -> Page:
    worth_it = headers["Content-Type"].startswith(_COMPRESSIBLE) and len(body) > 500
    tag = '"' + hashlib.sha256(body).hexdigest()[:24] + '"'
    compressed = gzip.compress(body, 6) if worth_it else None
    return Page(body, compressed, {**headers, "ETag": tag, "Vary": "Accept-Encoding"})


def _html_headers(html: str) -> dict[str, str]:
    hashes = " ".join(f"'sha256-{_sha256(script)}'" for script in _INLINE_SCRIPT.findall(html))
    policy = (
        f"default-src 'self'; script-src 'self' {hashes}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws: wss:; frame-src 'self' blob:; "
        "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
    )
    return {
        "Content-Type": "text/html; charset=utf-8",
        "Cache-Control": "no-cache",
        "Content-Security-Policy": policy,
        "Referrer-Policy": "strict-origin-when-cross-origin",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "SAMEORIGIN",
    }


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
