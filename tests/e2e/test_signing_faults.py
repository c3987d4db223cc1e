"""The signing page says what is wrong when a waiver is missing or expired, or when a signature cannot be stored."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import Deployment
from tests.e2e.fault_proxy import FaultProxy
from tests.e2e.guest import (
    click_sign,
    create_session,
    database_connection,
    expect_signed,
    fill_in,
    signing_path,
    stored_waivers,
)

WEB_FILTER_RESPONSE = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{"blocked": true}'


async def open_and_fill_in(page: Page, path: str) -> None:
    await page.goto(path)
    await fill_in(page)


async def create_template(deployment: Deployment) -> str:
    template_id = f"tpl-{uuid4().hex[:12]}"
    async with database_connection(deployment) as connection:
        await connection.execute(
            """
            with company as (insert into companies (name) values ('Rio Rafting') returning id)
            insert into waiver_templates (id, company_id, name, content)
            select $1, id, 'River trip', 'I, [PARTICIPANT NAME], know that rivers are wet.' from company
            """,
            template_id,
        )
    return template_id


async def delete_session(deployment: Deployment, session_id: UUID) -> None:
    async with database_connection(deployment) as connection:
        await connection.execute("delete from waivers.audit_events where session_id = $1", session_id)
        await connection.execute("delete from waivers.sessions where id = $1", session_id)


async def expect_error(page: Page, message: str) -> None:
    """Expects the error, and that the page keeps what the guest has entered."""
    await expect(page.get_by_role("alert")).to_have_text(message)
    await expect(page.get_by_label("Your Name")).to_have_value("Gil Okafor")
    await expect(page.get_by_role("button", name="Undo")).to_be_visible()


@pytest.mark.accept("ERR-18", "ERR-19", "ERR-20", "SIGN-04", "SIGN-21")
async def test_a_missing_or_expired_waiver_shows_its_own_page(deployment: Deployment, desktop: Page) -> None:
    session_without_text = await create_session(deployment, template_content="")
    expired_session = await create_session(deployment, expires_at=datetime.now(UTC) - timedelta(days=1))
    for path, title, text in [
        (signing_path(uuid4()), "Session Not Found", "The requested waiver session could not be found."),
        ("/waivers/sign/tpl-nowhere", "Waiver Not Found", "The requested waiver template could not be found."),
        (
            signing_path(session_without_text),
            "Waiver Template Not Found",
            "The waiver template for this session could not be found.",
        ),
    ]:
        await desktop.goto(path)
        await expect(desktop.get_by_role("heading", level=1)).to_have_text("Waiver Not Found")
        await expect(desktop.get_by_text("The requested waiver could not be found.", exact=True)).to_be_visible()
        await expect(desktop.get_by_role("alert").get_by_role("heading")).to_have_text(title)
        await expect(desktop.get_by_role("alert").get_by_role("paragraph")).to_have_text(text)

    await desktop.goto(signing_path(expired_session))

    await expect(desktop.get_by_role("heading", level=1)).to_have_text("Waiver Expired")
    await expect(desktop.get_by_role("main")).to_contain_text("Please ask Rio Rafting for a new link.")
    await expect(desktop.get_by_role("button")).to_have_count(0)


@pytest.mark.accept("ERR-12", "ERR-13", "ERR-15", "ERR-17")
async def test_a_failed_signature_shows_the_reason_and_keeps_the_input(deployment: Deployment, desktop: Page) -> None:
    deleted_session = await create_session(deployment)
    await open_and_fill_in(desktop, signing_path(deleted_session))
    await delete_session(deployment, deleted_session)
    await click_sign(desktop)
    await expect_error(desktop, "Could not find the waiver session.")

    emptied_session = await create_session(deployment)
    await open_and_fill_in(desktop, signing_path(emptied_session))
    async with database_connection(deployment) as connection:
        await connection.execute("update waivers.sessions set template_content = '' where id = $1", emptied_session)
    await click_sign(desktop)
    await expect_error(desktop, "Could not find the waiver template for this session.")

    template_id = await create_template(deployment)
    await open_and_fill_in(desktop, f"/waivers/sign/{template_id}")
    async with database_connection(deployment) as connection:
        await connection.execute("update waiver_templates set archived_at = now() where id = $1", template_id)
    await click_sign(desktop)
    await expect_error(desktop, "Failed to create waiver session.")

    session_id = await create_session(deployment)
    await open_and_fill_in(desktop, signing_path(session_id))
    async with database_connection(deployment) as connection, connection.transaction():
        await connection.execute(
            f"""
            create function public.fail_write() returns trigger language plpgsql as $$
            begin raise exception 'The archive is full.'; end $$;
            create trigger fail_write before insert on waivers.signed
                for each row when (new.session_id = '{session_id}') execute function public.fail_write();
            """
        )
    await click_sign(desktop)
    await expect_error(desktop, "Failed to store signed waiver: The archive is full.")

    async with database_connection(deployment) as connection:
        await connection.execute("drop trigger fail_write on waivers.signed; drop function public.fail_write()")
    await click_sign(desktop)
    await expect_signed(desktop)
    assert [waiver.name for waiver in await stored_waivers(deployment, session_id)] == ["Gil Okafor"]


@pytest.mark.accept("ERR-16")
async def test_a_response_from_a_web_filter_or_captive_portal_is_not_accepted(
    deployment: Deployment, proxy: FaultProxy, desktop_behind_proxy: Page
) -> None:
    """First the web filter of an office responds instead of the server, then the captive portal of a hotel."""
    template_id = await create_template(deployment)
    await open_and_fill_in(desktop_behind_proxy, f"/waivers/sign/{template_id}")
    for request in ("POST /rest/v1/waiver_sessions", "POST /rest/v1/signed_waivers"):
        async with proxy.intercept(request, WEB_FILTER_RESPONSE):
            await click_sign(desktop_behind_proxy)
            await expect_error(desktop_behind_proxy, "An unexpected error occurred. Please try again.")
    async with proxy.intercept("POST /rest/v1/signed_waivers"):
        await click_sign(desktop_behind_proxy)
        await expect(desktop_behind_proxy.get_by_role("heading", name="No connection")).to_be_visible()

    await expect_signed(desktop_behind_proxy)
    async with database_connection(deployment) as connection:
        assert await connection.fetchval("select count(*) from waivers.signed where template_id = $1", template_id) == 1
