"""The signing page as everybody meets it: light enough, readable by everybody, and with its ways around."""

import gzip
import io
import re
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import httpx
import pikepdf
import pytest
from playwright.async_api import FilePayload, Page, expect

from tests.e2e.accessible import complaints
from tests.e2e.conftest import DESKTOP, PHONE, Place
from tests.e2e.guest import a_session, draw_with_mouse, fill_in, link, press_sign, records, see_it_stored, stored, wave
from tests.make import SAMPLE

KILOBYTE = 1024


@pytest.mark.parametrize(
    "template", [SAMPLE, "template-photography-release", "template-medical-emergency-authorization"]
)
async def test_the_page_stays_inside_its_budget(place: Place, template: str) -> None:
    async with (
        httpx.AsyncClient(base_url=place.url) as client,
        client.stream("GET", f"/waivers/sign/{template}", headers={"accept-encoding": "gzip"}) as answer,
    ):
        sent = b"".join([chunk async for chunk in answer.aiter_raw()])

    script = re.search(r'<script type="module">(.*?)</script>', gzip.decompress(sent).decode(), re.DOTALL)
    assert script is not None
    assert len(sent) <= 30 * KILOBYTE
    assert len(gzip.compress(script[1].encode(), 6)) <= 20 * KILOBYTE


async def test_the_page_is_one_request(place: Place, phone: Page) -> None:
    fetched: list[str] = []
    phone.on("request", lambda request: fetched.append(request.url) if request.method == "GET" else None)
    session = await a_session(place)

    await phone.goto(link(session), wait_until="networkidle")

    assert fetched == [place.url + link(session)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_the_signing_page_shuts_nobody_out(
    place: Place, desktop: Page, scheme: str, screen: dict[str, int]
) -> None:
    await desktop.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    await desktop.set_viewport_size({"width": screen["width"], "height": screen["height"]})
    late = await a_session(place, expires_at=datetime.now(UTC) - timedelta(days=1))

    await desktop.goto(link(await a_session(place)))
    await press_sign(desktop)
    await expect(desktop.get_by_role("alert")).to_be_visible()
    assert await complaints(desktop) == []
    await desktop.get_by_role("radio", name="Type").check()
    await desktop.get_by_label("Type your name as your signature").fill("Gil")
    assert await complaints(desktop) == []
    for address in (link(late), link(uuid4())):
        await desktop.goto(address)
        assert await complaints(desktop) == []


async def test_at_a_desk_the_phone_is_a_code_away(place: Place, desktop: Page, phone: Page) -> None:
    session = await a_session(place)
    await desktop.goto(link(session))
    code = desktop.get_by_role("img", name="QR code that opens this waiver")
    await expect(code).to_be_hidden()
    await desktop.get_by_text("Sign on your phone instead").click()
    await expect(code).to_be_visible()
    await expect(code).to_have_js_property("complete", True)
    assert await code.evaluate("(code) => code.naturalWidth") > 0

    await phone.goto(link(session))

    await expect(phone.get_by_text("Sign on your phone instead")).to_be_hidden()


async def test_a_pdf_filled_elsewhere_saves_the_typing_but_not_the_signing(place: Place, desktop: Page) -> None:
    session = await a_session(place)
    form = await the_form(place, session)
    await desktop.goto(link(session))

    await desktop.get_by_text("Filled in the PDF already?").click()
    await choose(desktop, b"a holiday picture")
    await expect(desktop.get_by_text("This is not a waiver form that can be read.")).to_be_visible()
    await choose(desktop, filled(form, name="Žofie Дмитриева", email="zofie@example.com"))
    await expect(desktop.get_by_label("Your Name")).to_have_value("Žofie Дмитриева")
    await expect(desktop.get_by_label("Your Email")).to_have_value("zofie@example.com")
    await desktop.get_by_role("checkbox").check()
    await press_sign(desktop)
    await expect(desktop.get_by_role("alert")).to_have_text("Name, email and signature are required.")
    assert await stored(place, session) == []
    await draw_with_mouse(desktop, wave(0.1, 0.9))
    await press_sign(desktop)

    await desktop.get_by_role("button", name="Email me a copy").click()
    await expect(desktop.get_by_text("Your copy was sent to zofie@example.com.")).to_be_visible(timeout=15_000)
    [letter] = [mail for mail in place.office.emails if mail["To"] == "zofie@example.com"]
    assert [part.get_content_type() for part in letter.iter_attachments()] == ["application/pdf"]
    assert [waiver.name for waiver in await stored(place, session)] == ["Žofie Дмитриева"]


async def the_form(place: Place, session: UUID) -> bytes:
    headers = {"apikey": place.served.service_key, "Authorization": f"Bearer {place.served.service_key}"}
    async with httpx.AsyncClient(base_url=place.url, headers=headers) as client:
        return (await client.post("/functions/v1/waiver-form", json={"session_id": str(session)})).content


def filled(form: bytes, **answers: str) -> bytes:
    saved = io.BytesIO()
    with pikepdf.open(io.BytesIO(form)) as opened:
        for field in opened.Root.AcroForm.Fields:
            if str(field.T) in answers:
                field.V = pikepdf.String(answers[str(field.T)])
        opened.save(saved)
    return saved.getvalue()


async def choose(page: Page, content: bytes) -> None:
    file = FilePayload(name="waiver.pdf", mimeType="application/pdf", buffer=content)
    await page.get_by_label("Your filled PDF").set_input_files(file)


@pytest.mark.accept("SIGN-19")
async def test_a_bare_sample_signed_at_a_company_s_desk_is_the_company_s(place: Place, desktop: Page) -> None:
    company = await sign_in(place, desktop)
    await desktop.goto(f"/waivers/sign/{SAMPLE}")
    await expect(desktop.get_by_role("region", name="Waiver text")).to_contain_text("Cañón Tours")
    await fill_in(desktop)
    await draw_with_mouse(desktop, wave(0.1, 0.9))

    await press_sign(desktop)
    await see_it_stored(desktop)

    async with records(place) as connection:
        facts = await connection.fetchval(
            """
            select a.details ->> 'by_company' from waivers.signed w
              join waivers.audit_events a on a.session_id = w.session_id and a.name = 'waiver.signed'
             where w.company_id = $1
            """,
            company,
        )
    assert facts == str(company), "and the history says whose account was signed in"


async def sign_in(place: Place, page: Page) -> UUID:
    account = {"email": f"rosa.{uuid4().hex}@example.com", "password": "nine rapids before noon"}
    headers = {"apikey": place.served.anon_key}
    async with httpx.AsyncClient(base_url=place.url, headers=headers, timeout=20) as client:
        answer = await client.post("/auth/v1/signup", json={**account, "data": {"role": "company", "name": "Rosa"}})
        as_rosa = {"Authorization": f"Bearer {answer.json()['access_token']}", "Prefer": "return=representation"}
        named = await client.patch("/rest/v1/companies?name=eq.", json={"name": "Cañón Tours"}, headers=as_rosa)
    await page.goto("/signin")
    await page.get_by_label("Email").fill(account["email"])
    await page.get_by_label("Password").fill(account["password"])
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await page.wait_for_url("**/dashboard")
    return UUID(named.json()[0]["id"])
