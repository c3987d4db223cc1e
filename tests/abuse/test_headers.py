"""Low finding in docs/security.md: every response has the security headers of its kind.

Each row of `RESPONSES` is one kind of response. A new kind of page needs no row to be safe: a response without a
content security policy gets one that allows nothing.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from cairn.db import Database
from cairn.kit import SecurityHeaders, frozen_dataclass
from cairn.pages import html_headers
from tests.abuse.test_fuzz import documented_endpoints
from tests.factories import SAMPLE_TEMPLATE_ID, make_session
from tests.people import Person
from tests.whole_app import WholeApp, whole_app

SITE_URL = "https://waivers.example"
UNKNOWN_ID = "0d9f7f5e-6a51-4c3e-9c0e-3f6f2f7e8a11"
# Rules that the content security policy of each kind of response contains.
SCRIPT_PAGE = {"default-src": "'self'", "connect-src": "'self' wss://waivers.example", "object-src": "'none'"}
PAGE_WITHOUT_SCRIPT = {"default-src": "'self'", "script-src": "'none'", "connect-src": "'none'"}
PRIVATE_PAGE = {"default-src": "'none'", "base-uri": "'none'", "frame-ancestors": "'none'"}
NOTHING = {**PRIVATE_PAGE, "form-action": "'none'"}
UPLOAD = {"default-src": "'none'", "sandbox": ""}
WORKER = {"default-src": "'none'", "script-src": "'self'", "connect-src": "'self'"}
FILE = {"default-src": "'none'", "frame-ancestors": "'none'"}


@frozen_dataclass
class Expected:
    """One kind of response: its status, its media type and the rules that its content security policy contains.

    `method` and `body` are those of the request.
    """

    status: int
    media_type: str
    policy: dict[str, str]
    method: str = "GET"
    body: bytes = b""


HTML = "text/html"
JSON = "application/json"
RESPONSES = {
    "/": Expected(200, HTML, SCRIPT_PAGE),
    "/pricing": Expected(200, HTML, PAGE_WITHOUT_SCRIPT),
    "/contact": Expected(422, HTML, PAGE_WITHOUT_SCRIPT, "POST", b"name=Gil"),
    "/blog/unknown": Expected(404, HTML, PAGE_WITHOUT_SCRIPT),
    "/demo": Expected(413, "text/plain", NOTHING, "POST", b"message=" + b"x" * 70_000),
    "/signin": Expected(200, HTML, SCRIPT_PAGE),
    "/verify": Expected(200, HTML, SCRIPT_PAGE),
    "/dashboard": Expected(200, HTML, SCRIPT_PAGE),
    "/unknown": Expected(404, HTML, SCRIPT_PAGE),
    "/about": Expected(405, "text/plain", NOTHING, "POST"),
    "/waivers/sign/session/{session}": Expected(200, HTML, {**SCRIPT_PAGE, "frame-ancestors": "'self'"}),
    "/waivers/sign/unknown": Expected(404, HTML, {**SCRIPT_PAGE, "frame-ancestors": "'self'"}),
    f"/embed/{SAMPLE_TEMPLATE_ID}": Expected(200, HTML, {**SCRIPT_PAGE, "frame-ancestors": "'self'"}),
    "/waivers/sign/session/{session}/qr.svg": Expected(200, "image/svg+xml", NOTHING),
    "/demo/qr.svg": Expected(200, "image/svg+xml", FILE),
    "/app-worker.js": Expected(200, "text/javascript", WORKER),
    "/robots.txt": Expected(200, "text/plain", FILE),
    "/sitemap.xml": Expected(200, "application/xml", FILE),
    "/auth/v1/verify?type=magiclink&token={link_token}": Expected(200, HTML, PRIVATE_PAGE),
    "/auth/v1/verify?type=magiclink&token=unknown": Expected(303, "", NOTHING),
    f"/reminders/stop/{UNKNOWN_ID}": Expected(404, HTML, PRIVATE_PAGE),
    "/documents/unknown": Expected(404, HTML, PRIVATE_PAGE),
    f"/billing/sandbox/{UNKNOWN_ID}": Expected(404, HTML, PRIVATE_PAGE),
    "/storage/v1/object/public/uploads/page.html": Expected(200, "text/plain", UPLOAD),
    "/storage/v1/object/public/uploads/image.svg": Expected(200, "image/svg+xml", UPLOAD),
    "/storage/v1/object/public/uploads/page.xhtml": Expected(200, "application/xhtml+xml", UPLOAD),
    "/storage/v1/object/public/uploads/unknown": Expected(400, JSON, NOTHING),
    "/rest/v1/waiver_templates": Expected(200, JSON, NOTHING),
    "/rest/v1/unknown": Expected(404, JSON, NOTHING),
    "/rest/v1/signed_waivers": Expected(413, JSON, NOTHING, "POST", b" " * 30_000_000),
    "/functions/v1/unknown": Expected(404, JSON, NOTHING),
    "/functions/v1/waiver-document": Expected(400, JSON, NOTHING, "POST", b"{}"),
    "/auth/v1/health": Expected(200, JSON, NOTHING),
    "/health/live": Expected(200, JSON, NOTHING),
    "/health/unknown": Expected(404, "text/plain", NOTHING),
}


@pytest_asyncio.fixture
async def app(login_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeApp]:
    monkeypatch.setenv("CAIRN_AUTH__SITE_URL", SITE_URL)
    async with whole_app(login_url, tmp_path / "data") as app:
        yield app


@pytest_asyncio.fixture
async def browser(app: WholeApp) -> AsyncIterator[httpx.AsyncClient]:
    async with app.client() as http:
        http.headers.update({"apikey": app.keyring.anon_key, "Authorization": f"Bearer {app.keyring.anon_key}"})
        yield http


def service_keys(app: WholeApp) -> dict[str, str]:
    return {"apikey": app.keyring.service_key, "Authorization": f"Bearer {app.keyring.service_key}"}


async def sign_in_token(app: WholeApp, http: httpx.AsyncClient) -> str:
    """Returns the token of a link that would be mailed to a new user."""
    link = {"type": "magiclink", "email": "gil@example.com"}
    response = await http.post("/auth/v1/admin/generate_link", headers=service_keys(app), json=link)
    token: str = response.json()["hashed_token"]
    return token


async def upload_pages(app: WholeApp, http: httpx.AsyncClient) -> None:
    """Stores files with the media types in which a browser runs scripts, in a public bucket."""
    keys = service_keys(app)
    bucket = {"id": "uploads", "name": "uploads", "public": True}
    assert (await http.post("/storage/v1/bucket", headers=keys, json=bucket)).status_code == 200
    media_types = {"page.html": HTML, "image.svg": "image/svg+xml", "page.xhtml": "application/xhtml+xml"}
    for name, media_type in media_types.items():
        headers = {**keys, "Content-Type": media_type}
        response = await http.post(f"/storage/v1/object/uploads/{name}", headers=headers, content=b"<script/>")
        assert response.status_code == 200


def rules(response: httpx.Response) -> dict[str, str]:
    """Returns the rules of the content security policy by name. A response has exactly one policy."""
    policies = response.headers.get_list("content-security-policy")
    assert len(policies) == 1, response
    return dict(rule.partition(" ")[::2] for rule in policies[0].split("; "))


@pytest.mark.accept("SAFE-25")
async def test_every_kind_of_response_has_its_security_headers(
    app: WholeApp, browser: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    await upload_pages(app, browser)
    values = {"session": await make_session(database, rosa), "link_token": await sign_in_token(app, browser)}
    form = {"Content-Type": "application/x-www-form-urlencoded"}

    for path, expected in RESPONSES.items():
        response = await browser.request(
            expected.method, path.format(**values), content=expected.body, headers=form if expected.body else {}
        )

        media_type = response.headers.get("content-type", "").partition(";")[0]
        assert (path, response.status_code, media_type) == (path, expected.status, expected.media_type)
        policy = rules(response)
        assert (path, {name: policy.get(name) for name in expected.policy}) == (path, expected.policy)
        assert response.headers.get_list("x-content-type-options") == ["nosniff"], path
        assert response.headers.get_list("strict-transport-security") == ["max-age=63072000; includeSubDomains"], path
        assert len(response.headers.get_list("referrer-policy")) == 1, path
        # The policy names no other host, and no scheme that would allow every host.
        assert not {"ws:", "wss:", "http:", "https:", "*"} & set(" ".join(policy.values()).split()), path


async def test_a_pdf_of_a_function_has_a_policy_that_allows_nothing(
    app: WholeApp, browser: httpx.AsyncClient, rosa: Person
) -> None:
    headers = {"Authorization": f"Bearer {app.token(rosa)}"}
    form = {"template_id": SAMPLE_TEMPLATE_ID}

    response = await browser.post("/functions/v1/waiver-form", headers=headers, json=form)

    assert (response.status_code, response.headers["content-type"]) == (200, "application/pdf")
    assert rules(response) == NOTHING


async def test_every_documented_endpoint_has_a_policy(browser: httpx.AsyncClient, root: Path) -> None:
    endpoints = sorted(set(documented_endpoints(root)))
    assert len(endpoints) > 80

    for method, path in endpoints:
        response = await browser.request(method, path.replace("{", "").replace("}", ""))

        assert rules(response)["default-src"] in ("'none'", "'self'"), (method, path)
        assert response.headers["x-content-type-options"] == "nosniff", (method, path)


async def open_page(page: ASGIApp, site_url: str = SITE_URL) -> httpx.Response:
    transport = httpx.ASGITransport(SecurityHeaders(page, site_url=site_url), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://cairn") as http:
        return await http.get("/")


async def test_a_page_without_a_policy_gets_one_that_allows_nothing() -> None:
    response = await open_page(HTMLResponse("<script>alert(1)</script>"))

    assert rules(response) == NOTHING
    assert "strict-transport-security" in response.headers


async def test_the_policy_of_a_page_is_kept() -> None:
    response = await open_page(HTMLResponse("", headers={"Content-Security-Policy": "default-src 'self'"}))

    assert rules(response) == {"default-src": "'self'"}


async def test_plain_http_is_still_allowed_if_the_site_url_is_not_https() -> None:
    response = await open_page(PlainTextResponse("served"), "http://127.0.0.1:8000")

    assert "strict-transport-security" not in response.headers


async def test_an_unexpected_error_gets_a_bare_response_with_a_policy() -> None:
    async def broken_page(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise RuntimeError("the password of the database is 1234")

    response = await open_page(broken_page)

    assert (response.status_code, response.text) == (500, "Internal Server Error")
    assert rules(response) == NOTHING


@pytest.mark.parametrize(
    ("site_url", "sources"),
    [
        ("https://waivers.example", "'self' wss://waivers.example"),
        ("https://waivers.example:8443/", "'self' wss://waivers.example:8443"),
        ("http://127.0.0.1:8000", "'self' ws://127.0.0.1:8000"),
        # A policy cannot contain an IPv6 address. Current browsers include the websockets of the site in 'self'.
        ("http://[::1]:8000", "'self'"),
    ],
)
@pytest.mark.accept("SAFE-25")
def test_a_page_may_connect_only_to_its_own_site(site_url: str, sources: str) -> None:
    policy = html_headers("<script>1</script>", site_url=site_url)["Content-Security-Policy"]

    assert f"connect-src {sources};" in policy
