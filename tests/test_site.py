"""The server sends pages of a small build with the right status and headers. F9 is a finding in docs/security.md."""

import base64
import hashlib
import json
import re
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from uuid import UUID

import asyncpg
import brotli
import httpx
import pytest
import pytest_asyncio

from cairn.db import Database
from cairn.inquiries import InquirySettings
from cairn.kit import SecurityHeaders
from cairn.site import Site
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, make_template, sign
from tests.people import Person
from tests.waivers.acts import erase

ANON_KEY = "the-anon-key"
SITE_URL = "https://waivers.example"
SCRIPT = "document.title = 1"


@pytest.fixture
def build(tmp_path: Path) -> Path:
    page = f'<meta name="cairn-anon-key" content="__CAIRN_ANON_KEY__"><script>{SCRIPT}</script>'
    waiver = '<script type="application/json" id="waiver">__CAIRN_WAIVER__</script>'
    contact_form = (
        "<form><p>__ERROR_form__</p>"
        '<input name="name" data-field="name" value="__VALUE_name__"><p>__ERROR_name__</p>'
        '<input name="email" data-field="email" value="__VALUE_email__"><p>__ERROR_email__</p></form>'
    )
    files = {
        "app/about/index.html": '<link rel="canonical" href="__CAIRN_SITE_URL__/about"><h1>About</h1>',
        "app/contact/index.html": contact_form,
        "app/index.html": f"{page}<h1>Home</h1>",
        "app/signin/index.html": f"{page}<h1>Sign in</h1>",
        "app/__spa-fallback.html": f"{page}<h1>App</h1>",
        "app/blog/404/index.html": "<h1>No article</h1>",
        "app/blog/rss.xml": "<link>__CAIRN_SITE_URL__/blog</link>",
        "app/assets/app-1a2b3c.js": "console.log(1);" * 100,
        "app/app-worker.js": "self.skipWaiting()",
        "app/receipts.js": "const key = '__CAIRN_ANON_KEY__'",
        "app/app.webmanifest": "{}",
        "sign/index.html": f"{page}{waiver}",
        "sign/signed.html": f"{page}<h1>Signed</h1>{waiver}",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest_asyncio.fixture
async def visitor(database: Database, build: Path) -> AsyncIterator[httpx.AsyncClient]:
    site = Site(database, anon_key=ANON_KEY, site_url=SITE_URL, inquiries=InquirySettings(), build=build)
    app = SecurityHeaders(site, site_url=SITE_URL)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://cairn") as client:
        yield client


def embedded_waiver(page: httpx.Response) -> dict[str, object]:
    match = re.search(r'id="waiver">(.*?)</script>', page.text)
    assert match is not None
    data: dict[str, object] = json.loads(match[1])
    return data


@pytest.mark.parametrize(
    ("path", "status", "heading"),
    [
        ("/", 200, "Home"),
        ("/signin", 200, "Sign in"),
        ("/signin/", 200, "Sign in"),
        ("/dashboard", 200, "App"),
        ("/guest-dashboard/profile", 200, "App"),
        ("/dashboard/waivers", 200, "App"),
        ("/dashboard/sent-waivers", 404, "App"),
        ("/nope", 404, "App"),
        ("/../secrets.json", 404, "App"),
        ("/%2e%2e/sign/index.html", 404, "App"),
    ],
)
async def test_each_path_has_its_page_and_status(
    visitor: httpx.AsyncClient, path: str, status: int, heading: str
) -> None:
    page = await visitor.get(path)

    assert page.status_code == status
    assert f"<h1>{heading}</h1>" in page.text
    assert ANON_KEY in page.text


async def test_the_script_of_the_receipts_contains_the_public_key(visitor: httpx.AsyncClient) -> None:
    script = await visitor.get("/receipts.js")

    assert script.headers["cache-control"] == "no-cache"
    assert script.text == f"const key = '{ANON_KEY}'"


async def test_f9_the_page_of_a_link_names_no_erased_signature_and_does_not_offer_to_sign_again(
    visitor: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    first = await sign(database, session_id, name="Hana Sato", signer_email="hana@example.com")
    second = await sign(database, session_id, name="Ann Hill", signer_email="ann@example.org")
    await erase(database, rosa, first["id"])
    page = await visitor.get(f"/waivers/sign/session/{session_id}")
    assert "Ann" in str(embedded_waiver(page)["first_signature"])

    await erase(database, rosa, second["id"])

    page_to_sign_again = await visitor.get(f"/waivers/sign/session/{session_id}?again")
    assert "<h1>Signed</h1>" in page_to_sign_again.text
    assert embedded_waiver(page_to_sign_again)["first_signature"] is None


@pytest.mark.accept("SIGN-05")
async def test_the_page_of_a_signed_session_says_when_it_was_signed_and_shows_only_the_first_name(
    visitor: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    unsigned_page = await visitor.get(f"/waivers/sign/session/{session_id}")
    assert "<h1>Signed</h1>" not in unsigned_page.text
    assert "first_signature" not in embedded_waiver(unsigned_page)
    first = await sign(database, session_id, name="Hana Maria Sato", signer_email="hana@example.com")
    await sign(database, session_id, name="Someone Else")

    page = await visitor.get(f"/waivers/sign/session/{session_id}")
    page_to_sign_again = await visitor.get(f"/waivers/sign/session/{session_id}?again")

    assert "<h1>Signed</h1>" in page.text
    assert (page.headers["cache-control"], page.headers["referrer-policy"]) == ("no-store", "no-referrer")
    assert "<h1>Signed</h1>" not in page_to_sign_again.text
    signature = embedded_waiver(page)["first_signature"]
    assert isinstance(signature, dict)
    assert signature["first_name"] == "Hana"
    assert datetime.fromisoformat(signature["signed_at"]) == first["signed_at"]
    assert "Sato" not in page.text
    assert "hana@example.com" not in page.text


@pytest.mark.accept("HOME-09")
async def test_the_front_page_shows_the_sales_address_of_the_operator(database: Database, build: Path) -> None:
    (build / "app" / "index.html").write_text('<a href="mailto:__CAIRN_SALES_EMAIL__">Contact sales</a>')
    inquiries = InquirySettings(sales_email="office&more@rio.example")
    site = Site(database, anon_key=ANON_KEY, site_url=SITE_URL, inquiries=inquiries, build=build)

    async with httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://cairn") as client:
        page = await client.get("/")

    assert page.text == '<a href="mailto:office&amp;more@rio.example">Contact sales</a>'


async def test_only_the_built_scripts_may_run(visitor: httpx.AsyncClient) -> None:
    policy = (await visitor.get("/")).headers["content-security-policy"]

    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    scripts = next(rule for rule in policy.split("; ") if rule.startswith("script-src"))
    assert scripts == f"script-src 'self' 'sha256-{digest}'"


async def test_assets_are_cached_permanently_and_pages_are_revalidated(visitor: httpx.AsyncClient) -> None:
    asset, page = await visitor.get("/assets/app-1a2b3c.js"), await visitor.get("/")
    second_page = await visitor.get("/", headers={"If-None-Match": page.headers["etag"]})

    assert "immutable" in asset.headers["cache-control"]
    assert asset.headers["content-encoding"] == "br"
    assert page.headers["cache-control"] == "no-cache"
    assert second_page.status_code == 304


async def test_the_service_worker_is_revalidated_and_has_a_script_type(visitor: httpx.AsyncClient) -> None:
    worker, manifest = await visitor.get("/app-worker.js"), await visitor.get("/app.webmanifest")

    assert worker.headers["cache-control"] == manifest.headers["cache-control"] == "no-cache"
    assert worker.headers["content-type"] == "text/javascript; charset=utf-8"
    assert manifest.headers["content-type"] == "application/manifest+json"


@pytest.mark.accept("ROUTE-14")
async def test_a_signing_page_contains_its_waiver(visitor: httpx.AsyncClient, database: Database, rosa: Person) -> None:
    template_id = await make_template(database, rosa, content="</script><b>I, [PARTICIPANT NAME]</b>")
    session_id = await make_session(database, rosa, template_id)

    page = await visitor.get(f"/waivers/sign/session/{session_id}")

    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert "</script><b>" not in page.text
    session = embedded_waiver(page)["session"]
    assert isinstance(session, dict)
    assert session["template_content"] == "</script><b>I, [PARTICIPANT NAME]</b>"
    assert (session["company_name"], session["recipient_name"]) == ("Rio Rafting", "Gil Okafor")


@pytest.mark.accept("ROUTE-13")
async def test_the_page_of_a_template_names_its_company(
    visitor: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    template_id = await make_template(database, rosa)

    own_template = embedded_waiver(await visitor.get(f"/waivers/sign/{template_id}"))
    sample = embedded_waiver(await visitor.get(f"/waivers/sign/{SAMPLE_TEMPLATE_ID}?company={rosa.company}"))
    without_company = embedded_waiver(await visitor.get(f"/waivers/sign/{SAMPLE_TEMPLATE_ID}?company=nonsense"))

    assert (own_template["company_name"], own_template["company"]) == ("Rio Rafting", str(rosa.company))
    assert (sample["company_name"], sample["company"]) == ("Rio Rafting", str(rosa.company))
    assert (without_company["company_name"], without_company["company"]) == ("the Company", None)


@pytest.mark.parametrize(
    "path",
    ["session/0d9f7f5e-6a51-4c3e-9c0e-3f6f2f7e8a11", "session/not-a-uuid", "tpl-nowhere", "%00", "'; drop table x"],
)
async def test_a_link_to_an_unknown_waiver_shows_the_not_found_page(visitor: httpx.AsyncClient, path: str) -> None:
    page = await visitor.get(f"/waivers/sign/{path}")

    assert page.status_code == 404
    assert embedded_waiver(page)["kind"] == "missing"


async def test_pages_accept_only_get_and_head(visitor: httpx.AsyncClient) -> None:
    assert (await visitor.post("/")).status_code == 405
    head = await visitor.head("/")
    assert (head.status_code, head.text) == (200, "")


async def test_a_form_sent_before_its_script_has_loaded_does_not_show_the_password(
    visitor: httpx.AsyncClient,
) -> None:
    response = await visitor.post("/signin", data={"email": "rosa@example.com", "password": "seven rivers"})

    assert (response.status_code, response.headers["location"]) == (303, "/signin")


async def test_pages_require_https_if_the_site_url_is_https(
    visitor: httpx.AsyncClient, database: Database, build: Path
) -> None:
    http_url = "http://127.0.0.1:8000"
    http_site = Site(database, anon_key=ANON_KEY, site_url=http_url, inquiries=InquirySettings(), build=build)
    http_app = SecurityHeaders(http_site, site_url=http_url)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(http_app), base_url="http://cairn") as http_client:
        http_page = await http_client.get("/")
    https_page = await visitor.get("/")

    assert https_page.headers["strict-transport-security"].startswith("max-age=63072000")
    assert "upgrade-insecure-requests" in https_page.headers["content-security-policy"]
    assert "strict-transport-security" not in http_page.headers
    assert "upgrade-insecure-requests" not in http_page.headers["content-security-policy"]


async def test_only_the_signing_page_may_be_framed_and_only_by_the_site(visitor: httpx.AsyncClient) -> None:
    page, signing_page = await visitor.get("/"), await visitor.get(f"/waivers/sign/{SAMPLE_TEMPLATE_ID}")

    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert page.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'self'" in signing_page.headers["content-security-policy"]
    assert signing_page.headers["x-frame-options"] == "SAMEORIGIN"


async def allow_framing(database: Database, person: Person, *websites: str) -> None:
    async with database.acting_as(person.principal) as connection:
        await connection.execute("update companies set framed_by = $1", list(websites))


def frame_ancestors(page: httpx.Response) -> str | None:
    """Returns the `frame-ancestors` rule of the page, or None if every website may frame the page."""
    assert "x-frame-options" not in page.headers
    rules = page.headers["content-security-policy"].split("; ")
    return next((rule for rule in rules if rule.startswith("frame-ancestors")), None)


async def test_an_embedded_page_may_be_framed_by_the_websites_of_its_company(
    visitor: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    own_path = f"/embed/{await make_template(database, rosa)}"
    sample_path = f"/embed/{SAMPLE_TEMPLATE_ID}?company={rosa.company}"
    assert frame_ancestors(await visitor.get(own_path)) is None

    await allow_framing(database, rosa, "https://rio.example", "http://localhost:8080")
    for path in (own_path, sample_path):
        page = await visitor.get(path)
        assert frame_ancestors(page) == "frame-ancestors 'self' https://rio.example http://localhost:8080"
        assert embedded_waiver(page)["company"] == str(rosa.company)
        assert page.headers["cache-control"] == "no-store"

    await allow_framing(database, rosa)
    assert frame_ancestors(await visitor.get(own_path)) == "frame-ancestors 'self'"


async def test_an_embedded_page_without_a_company_may_not_be_framed(visitor: httpx.AsyncClient) -> None:
    for query in ("", "?company=nonsense", f"?company={UUID(int=0)}"):
        assert frame_ancestors(await visitor.get(f"/embed/{SAMPLE_TEMPLATE_ID}{query}")) == "frame-ancestors 'self'"


async def test_an_embedded_page_without_a_waiver_shows_the_not_found_page_on_every_website(
    visitor: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    """If the website were not allowed to frame that page, the visitor would see an empty frame."""
    await allow_framing(database, rosa)
    archived_template = await make_template(database, rosa)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("update waiver_templates set archived_at = now() where id = $1", archived_template)

    for path in (archived_template, "tpl-nowhere", "%00", "x" * 200, f"session/{await make_session(database, rosa)}"):
        page = await visitor.get(f"/embed/{path}")
        assert (page.status_code, embedded_waiver(page)) == (404, {"kind": "missing", "what": "template"})
        assert frame_ancestors(page) is None


async def test_a_page_without_scripts_allows_no_scripts(visitor: httpx.AsyncClient) -> None:
    policy = (await visitor.get("/about")).headers["content-security-policy"]

    assert "script-src 'none'" in policy.split("; ")


@pytest.mark.parametrize(("accept_encoding", "encoding"), [("gzip, br", "br"), ("gzip", "gzip"), ("identity", None)])
async def test_assets_are_sent_in_an_accepted_encoding(
    visitor: httpx.AsyncClient, accept_encoding: str, encoding: str | None
) -> None:
    asset = await visitor.get("/assets/app-1a2b3c.js", headers={"Accept-Encoding": accept_encoding})

    assert asset.headers.get("content-encoding") == encoding
    assert asset.text == "console.log(1);" * 100
    assert asset.headers["vary"] == "Accept-Encoding"


async def test_precompressed_assets_are_sent_unchanged(database: Database, build: Path) -> None:
    (build / "app/assets/app-1a2b3c.js.br").write_bytes(brotli.compress(b"precompressed"))
    site = Site(database, anon_key=ANON_KEY, site_url=SITE_URL, inquiries=InquirySettings(), build=build)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://cairn") as visitor:
        assert (await visitor.get("/assets/app-1a2b3c.js")).text == "precompressed"
        assert (await visitor.get("/assets/app-1a2b3c.js.br")).status_code == 404


async def test_the_sitemap_lists_pages_with_a_canonical_address(visitor: httpx.AsyncClient) -> None:
    assert "<loc>https://waivers.example/about</loc>" in (await visitor.get("/sitemap.xml")).text
    assert "/signin" not in (await visitor.get("/sitemap.xml")).text
    assert "Sitemap: https://waivers.example/sitemap.xml" in (await visitor.get("/robots.txt")).text


async def test_an_unknown_article_has_its_own_not_found_page(visitor: httpx.AsyncClient) -> None:
    for path in ("/blog/nope", "/blog/404", "/blog/404/index.html"):
        page = await visitor.get(path)
        assert (page.status_code, page.text) == (404, "<h1>No article</h1>")


async def test_the_feed_contains_the_site_url(visitor: httpx.AsyncClient) -> None:
    assert (await visitor.get("/blog/rss.xml")).text == f"<link>{SITE_URL}/blog</link>"


async def test_an_invalid_form_is_returned_with_its_values_and_errors(visitor: httpx.AsyncClient) -> None:
    empty_page = await visitor.get("/contact")
    form = {"name": '"><b>Gil</b>', "email": "gil", "message": "Hello"}
    response = await visitor.post("/contact", data=form)

    assert empty_page.text.startswith(
        '<form><p></p><input name="name" value=""><p></p><input name="email" value=""><p></p>'
    )
    assert response.status_code == 422
    assert response.headers["cache-control"] == "no-store"
    assert "<p>Some fields need another look.</p>" in response.text
    assert 'name="name" value="&quot;&gt;&lt;b&gt;Gil&lt;/b&gt;"><p></p>' in response.text
    assert 'name="email" aria-invalid="true" autofocus value="gil"><p>Please enter an email address' in response.text


@pytest.mark.parametrize(("hidden_field", "stored_count"), [("", 1), ("http://spam.example", 0)])
async def test_the_message_of_a_bot_that_fills_in_the_hidden_field_is_not_stored(
    visitor: httpx.AsyncClient, admin: "asyncpg.Connection[asyncpg.Record]", hidden_field: str, stored_count: int
) -> None:
    form = {"name": "Gil", "email": "gil@example.com", "message": "Hello", "website": hidden_field}
    response = await visitor.post("/contact", data=form)

    assert (response.status_code, response.headers["location"]) == (303, "/contact/sent")
    assert await admin.fetchval("select count(*) from inquiries.messages") == stored_count


async def test_too_many_messages_are_rejected_and_the_input_is_kept(visitor: httpx.AsyncClient) -> None:
    form = {"name": "Gil", "email": "gil@example.com", "message": "Hello again"}
    for _ in range(5):
        await visitor.post("/contact", data=form)
    response = await visitor.post("/contact", data=form)

    assert response.status_code == 429
    assert "Too many messages came from your network" in response.text
    assert 'value="gil@example.com"' in response.text


async def test_a_form_that_is_too_large_is_rejected(visitor: httpx.AsyncClient) -> None:
    assert (await visitor.post("/contact", data={"message": "x" * 70_000})).status_code == 413
    assert (await visitor.post("/contact", data={str(number): "" for number in range(30)})).status_code == 413
