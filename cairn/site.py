"""The pages: the built React application, and the signing page with the data of the waiver filled in."""

from collections.abc import Callable, Mapping
from pathlib import Path
from uuid import UUID

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from cairn.db import Database, DatabaseBusy, DatabaseUnreachable
from cairn.inquiries import FORMS, FormHandler, InquirySettings
from cairn.pages import (
    FormPage,
    Page,
    document,
    fill_placeholders,
    framed_on,
    html_headers,
    picture,
    read_build,
    search_engine_files,
)
from cairn.waivers import embedded_template_data, qr_code_svg, session_data, template_data

BUILD = Path(__file__).parent / "web_build"
SIGNING = "/waivers/sign/"
# The same page of a template, shown in a frame on the company's website.
EMBEDDED = "/embed/"
# Routes that exist only in the browser application; every other unknown path is a 404 with the same body.
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
# These forms are sent by script. Submitted before it has loaded, they are shown again, so no password ends in a URL.
_SCRIPTED_FORMS = frozenset({"/signin", "/signup", "/forgot-password"})
_FALLBACK = "/__spa-fallback.html"
_KEY_PLACE = "__CAIRN_ANON_KEY__"
_URL_PLACE = "__CAIRN_SITE_URL__"
_SALES_PLACE = "__CAIRN_SALES_EMAIL__"
_WAIVER_PLACE = "__CAIRN_WAIVER__"
_LONGEST_ID = 100
_LONGEST_URL = 500
_QR = "/qr.svg"
_BLOG = "/blog/"
# The page for an article that does not exist, built under a name that no article uses.
_NO_ARTICLE = "/blog/404/index.html"
# The sample that visitors may sign, as a QR code for the phone's camera.
_SAMPLE = "template-general-liability"
_SAMPLE_QR = "/demo/qr.svg"
_UNAVAILABLE = '{"kind":"unavailable"}'
_NO_TEMPLATE = '{"kind":"missing","what":"template"}'


class Site:
    def __init__(
        self,
        database: Database,
        *,
        anon_key: str,
        site_url: str,
        inquiries: InquirySettings,
        after_write: Callable[[], None] = lambda: None,
        build: Path = BUILD,
    ) -> None:
        self._database = database
        blanks = {_KEY_PLACE: anon_key, _URL_PLACE: site_url.rstrip("/"), _SALES_PLACE: inquiries.sales_email}
        secure = site_url.startswith("https://")
        built = read_build(build / "app", blanks, secure=secure)
        forms = {path: FormPage(page.body.decode(), secure=secure) for path, page in _with_forms(built).items()}
        empty = {f"{path}/index.html": form.empty() for path, form in forms.items()}
        self._pages = {
            **built,
            **empty,
            **search_engine_files(built.values(), blanks[_URL_PLACE]),
            _SAMPLE_QR: _sample_qr(site_url),
        }
        self._no_article = self._pages.pop(_NO_ARTICLE, None)
        self._form_handler = FormHandler(database, inquiries, forms, after_write)
        self._signing = _signing_document(build / "sign" / "index.html", blanks)
        # The URL gives access to the waiver, so it is neither cached nor sent as a referrer.
        secret = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
        self._signing_headers = {**html_headers(self._signing or "", secure=secure, framed_by="'self'"), **secret}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError(f"the site does not serve {scope['type']}")
        response = await self._respond(Request(scope, receive))
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        path = request.url.path.rstrip("/") or "/"
        if request.method == "POST" and self._form_handler.handles(path):
            return await self._form_handler.respond(request, path)
        if request.method == "POST" and path in _SCRIPTED_FORMS:
            return RedirectResponse(path, 303)
        if request.method not in ("GET", "HEAD"):
            return PlainTextResponse("Method not allowed", 405, {"Allow": "GET, HEAD"})
        if path.startswith(SIGNING) and self._signing is not None:
            return await self._signing_page(request, path.removeprefix(SIGNING))
        if path.startswith(EMBEDDED) and self._signing is not None:
            return await self._embedded_page(request, path.removeprefix(EMBEDDED))
        page = self._pages.get(path) or self._pages.get(f"{path.rstrip('/')}/index.html")
        return page.response(request) if page is not None else self._without_file(request, path)

    def _without_file(self, request: Request, path: str) -> Response:
        """A missing article, a route of the browser application, or a page that does not exist."""
        if path.startswith(_BLOG) and self._no_article is not None:
            return self._no_article.response(request, 404)
        fallback = self._pages.get(_FALLBACK)
        if fallback is None:
            return PlainTextResponse("The web application is not built yet: run `make web`.", 503)
        return fallback.response(request, 200 if path in APP_PATHS else 404)

    async def _signing_page(self, request: Request, rest: str) -> Response:
        if rest.endswith(_QR):
            return _qr_of_page(request)
        status = 200
        kind, _, session_id = rest.partition("/")
        what = "session" if kind == "session" and session_id else "template"
        try:
            data = await self._waiver(what, session_id or rest, request.query_params.get("company"))
            if data is None:
                data, status = f'{{"kind":"missing","what":"{what}"}}', 404
        except (DatabaseUnreachable, DatabaseBusy):
            # The page still opens and retries.
            data, status = _UNAVAILABLE, 503
        return self._filled_in(data, self._signing_headers).response(request, status)

    async def _embedded_page(self, request: Request, template_id: str) -> Response:
        """If there is nothing to sign, the message may be framed on any website: it cannot be misused."""
        company = _uuid(request.query_params.get("company"))
        data, websites, status = _NO_TEMPLATE, ["*"], 404
        try:
            shown = await embedded_template_data(self._database, template_id, company) if _is_id(template_id) else None
            if shown is not None:
                (data, websites), status = shown, 200
        except (DatabaseUnreachable, DatabaseBusy):
            data, status = _UNAVAILABLE, 503
        return self._filled_in(data, framed_on(websites, self._signing_headers)).response(request, status)

    def _filled_in(self, data: str, headers: Mapping[str, str]) -> Page:
        html = (self._signing or "").replace(_WAIVER_PLACE, data.replace("<", "\\u003c"), 1)
        return document(html, headers)

    async def _waiver(self, what: str, row_id: str, company: str | None) -> str | None:
        if not _is_id(row_id):
            return None
        if what == "session":
            return await session_data(self._database, row_id)
        return await template_data(self._database, row_id, _uuid(company))


def _qr_of_page(request: Request) -> Response:
    """A QR code of the signing page's own URL, to continue on a phone."""
    page_url = str(request.url.replace(path=request.url.path.rstrip("/").removesuffix(_QR)))
    if len(page_url) > _LONGEST_URL:
        return PlainTextResponse("Not found", 404)
    headers = {"Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff"}
    return Response(qr_code_svg(page_url), media_type="image/svg+xml", headers=headers)


def _with_forms(built: Mapping[str, Page]) -> dict[str, Page]:
    return {path: page for path in FORMS if (page := built.get(f"{path}/index.html"))}


def _sample_qr(site_url: str) -> Page:
    return picture(qr_code_svg(f"{site_url.rstrip('/')}{SIGNING}{_SAMPLE}"), "image/svg+xml")


def _signing_document(path: Path, blanks: dict[str, str]) -> str | None:
    return fill_placeholders(path.read_text("utf-8"), blanks) if path.exists() else None


def _is_id(text: str) -> bool:
    return len(text) <= _LONGEST_ID and text.isprintable()


def _uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
