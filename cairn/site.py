"""Serves the pages: the built React application, and the signing page, which contains the data of the waiver."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from cairn.db import Database, DatabaseBusy, DatabaseUnreachable
from cairn.inquiries import FORMS, FormHandler, InquirySettings
from cairn.kit import PRIVATE_PAGE_HEADERS, frozen_dataclass, message_response
from cairn.limits import MemoryLimiter, network_of
from cairn.pages import (
    FormPage,
    Page,
    allow_framing_on,
    dynamic_response,
    fill_placeholders,
    html_headers,
    image_page,
    read_build,
    search_engine_files,
)
from cairn.translations import text
from cairn.waivers import CompanyNotAccepting, embedded_template_data, qr_code_svg, session_data, template_data

BUILD_FOLDER = Path(__file__).parent / "web_build"
SIGNING_PATH = "/waivers/sign/"
# The signing page of a template, shown in a frame on the company's website.
EMBEDDED_PATH = "/embed/"
# These routes exist only in the browser application. Every other unknown path gets the same page with status 404.
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
# The page of one waiver. Whether the waiver exists is known only to its company, so the server does not check it.
_WAIVER_PATH = "/dashboard/waiver-management/"
# These forms are sent by JavaScript. If one is submitted before the script has loaded, the browser posts it to the
# page, and the page is shown again. The method is POST so that no password appears in a URL.
_SCRIPTED_FORMS = frozenset({"/signin", "/signup", "/forgot-password"})
_FALLBACK_PAGE = "/__spa-fallback.html"
_KEY_PLACEHOLDER = "__CAIRN_ANON_KEY__"
_URL_PLACEHOLDER = "__CAIRN_SITE_URL__"
_SALES_PLACEHOLDER = "__CAIRN_SALES_EMAIL__"
_WAIVER_PLACEHOLDER = "__CAIRN_WAIVER__"
_MAX_ID_LENGTH = 100
# The longest URL in a QR code. Drawing one takes up to 15 ms.
_MAX_URL_LENGTH = 300
_QR_CODES_PER_MINUTE = 120
"""The limit for one IP network. Only large screens show the code, so even 200 guests in one place need fewer."""

_QR_SUFFIX = "/qr.svg"
_BLOG_PATH = "/blog/"
# The page for a blog article that does not exist. No article uses this name.
_NO_ARTICLE = "/blog/404/index.html"
# Visitors may sign this sample template. Its QR code opens it on a phone.
_SAMPLE_TEMPLATE = "template-general-liability"
_SAMPLE_QR = "/demo/qr.svg"
_UNAVAILABLE = '{"kind":"unavailable"}'
_NO_TEMPLATE = '{"kind":"missing","what":"template"}'
_NO_SESSION = '{"kind":"missing","what":"session"}'
# With this query parameter, a session that was already signed can be signed again.
_SIGN_AGAIN = "again"
_NOT_ACCEPTING = text("No signatures at present")


class Site:
    def __init__(
        self,
        database: Database,
        *,
        anon_key: str,
        site_url: str,
        inquiries: InquirySettings,
        after_write: Callable[[], None] = lambda: None,
        build: Path = BUILD_FOLDER,
    ) -> None:
        self._database = database
        placeholders = {
            _KEY_PLACEHOLDER: anon_key,
            _URL_PLACEHOLDER: site_url.rstrip("/"),
            _SALES_PLACEHOLDER: inquiries.sales_email,
        }
        built_pages = read_build(build / "app", placeholders, site_url=site_url)
        forms = {
            path: FormPage(page.body.decode(), site_url=site_url) for path, page in _form_pages(built_pages).items()
        }
        empty_forms = {f"{path}/index.html": form.empty() for path, form in forms.items()}
        self._pages = {
            **built_pages,
            **empty_forms,
            **search_engine_files(built_pages.values(), placeholders[_URL_PLACEHOLDER]),
            _SAMPLE_QR: _sample_qr(site_url),
        }
        self._no_article = self._pages.pop(_NO_ARTICLE, None)
        self._qr_codes = MemoryLimiter(_QR_CODES_PER_MINUTE, timedelta(minutes=1))
        self._form_handler = FormHandler(database, inquiries, forms, after_write)
        self._to_sign = _read_waiver_page(build / "sign" / "index.html", placeholders, site_url)
        self._form_to_sign = _read_waiver_page(build / "sign" / "form.html", placeholders, site_url)
        self._already_signed = _read_waiver_page(build / "sign" / "signed.html", placeholders, site_url)

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
        if path.startswith(SIGNING_PATH) and self._to_sign is not None:
            return await self._signing_page(request, path.removeprefix(SIGNING_PATH), self._to_sign)
        if path.startswith(EMBEDDED_PATH) and self._to_sign is not None:
            return await self._embedded_page(request, path.removeprefix(EMBEDDED_PATH), self._to_sign)
        page = self._pages.get(path) or self._pages.get(f"{path.rstrip('/')}/index.html")
        return page.response(request) if page is not None else self._fallback_page(request, path)

    def _fallback_page(self, request: Request, path: str) -> Response:
        """Responds to a missing article, a route of the browser application, or a page that does not exist."""
        if path.startswith(_BLOG_PATH) and self._no_article is not None:
            return self._no_article.response(request, 404)
        fallback = self._pages.get(_FALLBACK_PAGE)
        if fallback is None:
            return PlainTextResponse("The web application is not built yet: run `make web`.", 503)
        return fallback.response(request, 200 if _is_app_path(path) else 404)

    async def _signing_page(self, request: Request, path: str, page: "_WaiverPage") -> Response:
        """Serves `session/{id}` or `{template id}`, and the QR code of either page."""
        if path.endswith(_QR_SUFFIX):
            return self._qr_code_response(request)
        first_part, _, session_id = path.partition("/")
        try:
            if first_part == "session" and session_id:
                return await self._session_page(request, session_id, page)
            company_id = _uuid(request.query_params.get("company"))
            template = await template_data(self._database, path, company_id) if _is_id(path) else None
        except (DatabaseUnreachable, DatabaseBusy):
            # The page still opens and retries.
            return await page.response(request, _UNAVAILABLE, 503)
        except CompanyNotAccepting as problem:
            return _not_accepting_page(problem)
        if template is None:
            return await page.response(request, _NO_TEMPLATE, 404)
        return await self._page_for(page, template.has_form).response(request, template.json)

    def _page_for(self, page: "_WaiverPage", has_form: bool) -> "_WaiverPage":
        """A waiver with a form has a page of its own, so that the page for all others stays small."""
        return self._form_to_sign if has_form and self._form_to_sign is not None else page

    def _qr_code_response(self, request: Request) -> Response:
        """Returns a QR code of the signing page's own URL, so that the guest can continue on a phone."""
        page_url = str(request.url.replace(path=request.url.path.rstrip("/").removesuffix(_QR_SUFFIX)))
        if len(page_url) > _MAX_URL_LENGTH:
            return PlainTextResponse("Not found", 404)
        wait_seconds = self._qr_codes.take(network_of(request.client and request.client.host))
        if wait_seconds is not None:
            return PlainTextResponse(
                "Too many QR codes were requested from this network. Please try again in a minute.",
                429,
                {"Retry-After": str(math.ceil(wait_seconds))},
            )
        headers = {"Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff"}
        return Response(qr_code_svg(page_url), media_type="image/svg+xml", headers=headers)

    async def _session_page(self, request: Request, session_id: str, page: "_WaiverPage") -> Response:
        """A session that was already signed has a page of its own, with a link to sign it again.

        If all its signatures were erased, it cannot be signed again.
        """
        session = await session_data(self._database, session_id) if _is_id(session_id) else None
        if session is None:
            return await page.response(request, _NO_SESSION, 404)
        is_signed_again = _SIGN_AGAIN in request.query_params and not session.is_erased
        if session.is_signed and self._already_signed is not None and not is_signed_again:
            return await self._already_signed.response(request, session.json)
        return await self._page_for(page, session.has_form).response(request, session.json)

    async def _embedded_page(self, request: Request, template_id: str, page: "_WaiverPage") -> Response:
        """Serves the signing page for a frame. If there is nothing to sign, any website may frame the page."""
        company_id = _uuid(request.query_params.get("company"))
        data, websites, status = _NO_TEMPLATE, ["*"], 404
        try:
            template = (
                await embedded_template_data(self._database, template_id, company_id) if _is_id(template_id) else None
            )
            if template is not None:
                data, websites, status = template.json, [*template.websites], 200
                page = self._page_for(page, template.has_form)
        except (DatabaseUnreachable, DatabaseBusy):
            data, status = _UNAVAILABLE, 503
        except CompanyNotAccepting as problem:
            return _not_accepting_page(problem, framed_by=["*"])
        return await replace(page, headers=allow_framing_on(websites, page.headers)).response(request, data, status)


def _not_accepting_page(problem: CompanyNotAccepting, framed_by: Sequence[str] = ()) -> Response:
    """The page for the links of a suspended company."""
    response = message_response(str(_NOT_ACCEPTING), str(problem), 403)
    if framed_by:
        response.headers.update(allow_framing_on([*framed_by], PRIVATE_PAGE_HEADERS))
    return response


@frozen_dataclass
class _WaiverPage:
    """A built page that reads its waiver from a block of JSON."""

    html: str
    headers: Mapping[str, str]

    async def response(self, request: Request, data: str, status: int = 200) -> Response:
        html = self.html.replace(_WAIVER_PLACEHOLDER, data.replace("<", "\\u003c"), 1)
        return await dynamic_response(request, html, self.headers, status)


def _read_waiver_page(path: Path, placeholders: dict[str, str], site_url: str) -> _WaiverPage | None:
    """Returns None if the page is not built."""
    if not path.exists():
        return None
    html = fill_placeholders(path.read_text("utf-8"), placeholders)
    # The URL gives access to the waiver, so it is neither cached nor sent as a referrer.
    secrecy_headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    return _WaiverPage(html, {**html_headers(html, site_url=site_url, framed_by="'self'"), **secrecy_headers})


def _form_pages(built_pages: Mapping[str, Page]) -> dict[str, Page]:
    return {path: page for path in FORMS if (page := built_pages.get(f"{path}/index.html"))}


def _sample_qr(site_url: str) -> Page:
    return image_page(qr_code_svg(f"{site_url.rstrip('/')}{SIGNING_PATH}{_SAMPLE_TEMPLATE}"), "image/svg+xml")


def _is_app_path(path: str) -> bool:
    is_waiver = path.startswith(_WAIVER_PATH) and _uuid(path.removeprefix(_WAIVER_PATH)) is not None
    return is_waiver or path in APP_PATHS


def _is_id(text: str) -> bool:
    return len(text) <= _MAX_ID_LENGTH and text.isprintable()


def _uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
