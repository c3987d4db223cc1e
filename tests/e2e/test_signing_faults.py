"""What the signing page says when something is not there, not possible, or broken: each fault really made."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import Place
from tests.e2e.guest import a_session, draw_with_mouse, fill_in, link, press_sign, records, see_it_stored, stored, wave
from tests.e2e.line import Line

FILTER = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{"blocked": true}'


async def ready_to_sign(page: Page, address: str) -> None:
    await page.goto(address)
    await fill_in(page)
    await draw_with_mouse(page, wave(0.1, 0.9))


async def a_template(place: Place) -> str:
    template = f"tpl-{uuid4().hex[:12]}"
    async with records(place) as connection:
        await connection.execute(
            """
            with company as (insert into companies (name) values ('Rio Rafting') returning id)
            insert into waiver_templates (id, company_id, name, content)
            select $1, id, 'River trip', 'I, [PARTICIPANT NAME], know that rivers are wet.' from company
            """,
            template,
        )
    return template


async def undo_session(place: Place, session: UUID) -> None:
    async with records(place) as connection:
        await connection.execute("delete from waivers.audit_events where session_id = $1", session)
        await connection.execute("delete from waivers.sessions where id = $1", session)


async def see_it_refused(page: Page, reason: str) -> None:
    """And nothing of what was entered is gone."""
    await expect(page.get_by_role("alert")).to_have_text(reason)
    await expect(page.get_by_label("Your Name")).to_have_value("Gil Okafor")
    await expect(page.get_by_role("button", name="Undo")).to_be_visible()


@pytest.mark.accept("ERR-18", "ERR-19", "ERR-20", "SIGN-04", "SIGN-21")
async def test_what_cannot_be_signed_has_a_page_of_its_own(place: Place, desktop: Page) -> None:
    empty = await a_session(place, template_content="")
    late = await a_session(place, expires_at=datetime.now(UTC) - timedelta(days=1))
    for address, title, text in [
        (link(uuid4()), "Session Not Found", "The requested waiver session could not be found."),
        ("/waivers/sign/tpl-nowhere", "Waiver Not Found", "The requested waiver template could not be found."),
        (link(empty), "Waiver Template Not Found", "The waiver template for this session could not be found."),
    ]:
        await desktop.goto(address)
        await expect(desktop.get_by_role("heading", level=1)).to_have_text("Waiver Not Found")
        await expect(desktop.get_by_text("The requested waiver could not be found.", exact=True)).to_be_visible()
        await expect(desktop.get_by_role("alert").get_by_role("heading")).to_have_text(title)
        await expect(desktop.get_by_role("alert").get_by_role("paragraph")).to_have_text(text)

    await desktop.goto(link(late))

    await expect(desktop.get_by_role("heading", level=1)).to_have_text("Waiver Expired")
    await expect(desktop.get_by_role("main")).to_contain_text("Please ask Rio Rafting for a new link.")
    await expect(desktop.get_by_role("button")).to_have_count(0)


@pytest.mark.accept("ERR-12", "ERR-13", "ERR-15", "ERR-17")
async def test_a_refusal_names_its_reason_and_keeps_what_was_entered(place: Place, desktop: Page) -> None:
    gone = await a_session(place)
    await ready_to_sign(desktop, link(gone))
    await undo_session(place, gone)
    await press_sign(desktop)
    await see_it_refused(desktop, "Could not find the waiver session.")

    wordless = await a_session(place)
    await ready_to_sign(desktop, link(wordless))
    async with records(place) as connection:
        await connection.execute("update waivers.sessions set template_content = '' where id = $1", wordless)
    await press_sign(desktop)
    await see_it_refused(desktop, "Could not find the waiver template for this session.")

    template = await a_template(place)
    await ready_to_sign(desktop, f"/waivers/sign/{template}")
    async with records(place) as connection:
        await connection.execute("update waiver_templates set archived_at = now() where id = $1", template)
    await press_sign(desktop)
    await see_it_refused(desktop, "Failed to create waiver session.")

    session = await a_session(place)
    await ready_to_sign(desktop, link(session))
    async with records(place) as connection, connection.transaction():
        await connection.execute(
            f"""
            create function public.out_of_ink() returns trigger language plpgsql as $$
            begin raise exception 'The archive is out of ink.'; end $$;
            create trigger out_of_ink before insert on waivers.signed
                for each row when (new.session_id = '{session}') execute function public.out_of_ink();
            """
        )
    await press_sign(desktop)
    await see_it_refused(desktop, "Failed to store signed waiver: The archive is out of ink.")

    async with records(place) as connection:
        await connection.execute("drop trigger out_of_ink on waivers.signed; drop function public.out_of_ink()")
    await press_sign(desktop)
    await see_it_stored(desktop)
    assert [waiver.name for waiver in await stored(place, session)] == ["Gil Okafor"]


@pytest.mark.accept("ERR-16")
async def test_what_somebody_on_the_way_answers_is_not_taken_for_the_server_s_word(
    place: Place, line: Line, far_desktop: Page
) -> None:
    """First an office's filter, then a hotel's sign-in page; nothing is called signed before it is stored."""
    template = await a_template(place)
    await ready_to_sign(far_desktop, f"/waivers/sign/{template}")
    for call in ("POST /rest/v1/waiver_sessions", "POST /rest/v1/signed_waivers"):
        async with line.taken(call, FILTER):
            await press_sign(far_desktop)
            await see_it_refused(far_desktop, "An unexpected error occurred. Please try again.")
    async with line.taken("POST /rest/v1/signed_waivers"):
        await press_sign(far_desktop)
        await expect(far_desktop.get_by_role("heading", name="No connection")).to_be_visible()

    await see_it_stored(far_desktop)
    async with records(place) as connection:
        assert await connection.fetchval("select count(*) from waivers.signed where template_id = $1", template) == 1
