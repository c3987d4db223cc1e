"""Signing is one insert, which succeeds or fails as a whole."""

import asyncio
import base64
from datetime import timedelta
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from cairn.db import ANON, SERVICE, Connection, Database, Principal
from cairn.kit import now
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, make_template, request_settings, sign, signature_data_url
from tests.people import Person


@pytest.mark.accept("SIGN-15", "REST-15")
async def test_signing_closes_the_session_in_the_same_transaction(database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa)

    waiver = await sign(database, session_id)

    async with database.acting_as(rosa.principal) as connection:
        session = await connection.fetchrow("select * from waiver_sessions where id = $1", session_id)
    assert session is not None
    assert session["status"] == "signed"
    assert session["signed_at"] == waiver["signed_at"]
    assert session["signature"] == waiver["signature"]
    assert (session["signer_name"], session["signer_email"]) == ("Gil Okafor", "gil@example.com")
    assert abs(waiver["signed_at"] - now()) < timedelta(seconds=10)


@pytest.mark.accept("SIGN-15")
@pytest.mark.parametrize("table", ["waivers.sessions", "waivers.audit_events", "jobs.events"])
async def test_an_error_in_any_table_stores_nothing(
    database: Database, admin: Connection, rosa: Person, table: str
) -> None:
    session_id = await make_session(database, rosa)
    await admin.execute(
        f"""
        create function public.break_down() returns trigger language plpgsql as $$
        begin raise exception 'broken on purpose'; end $$;
        create trigger break_down before insert or update on {table}
            for each row execute function public.break_down();
        """
    )

    with pytest.raises(asyncpg.RaiseError, match="broken on purpose"):
        await sign(database, session_id)

    assert await admin.fetchval("select count(*) from waivers.signed") == 0
    assert await admin.fetchval("select status from waivers.sessions") == "pending"
    assert await admin.fetchval("select count(*) from jobs.events") == 0


@pytest.mark.accept("SIGN-13", "SIGN-14")
async def test_the_server_fills_in_the_names_in_the_stored_text(database: Database, rosa: Person) -> None:
    template = await make_template(
        database, rosa, content="I, [PARTICIPANT NAME], ride with [COMPANY NAME]. [PARTICIPANT NAME] agrees."
    )
    session_id = await make_session(database, rosa, template)

    waiver = await sign(database, session_id, content="I agree to nothing")

    assert waiver["content"] == "I, Gil Okafor, ride with Rio Rafting. Gil Okafor agrees."


@pytest.mark.accept("SIGN-13")
async def test_a_company_without_a_name_is_called_the_company(database: Database, rosa: Person) -> None:
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("update companies set name = ' '")
    session_id = await make_session(database, rosa, await make_template(database, rosa, content="With [COMPANY NAME]."))

    waiver = await sign(database, session_id)

    assert waiver["content"] == "With the Company."


async def test_a_name_that_looks_like_a_placeholder_is_not_filled_in_again(database: Database, rosa: Person) -> None:
    template = await make_template(database, rosa, content="[PARTICIPANT NAME] and [COMPANY NAME]")
    session_id = await make_session(database, rosa, template)

    waiver = await sign(database, session_id, name="[COMPANY NAME]")

    assert waiver["content"] == "[COMPANY NAME] and Rio Rafting"


@pytest.mark.accept("SIGN-07")
@pytest.mark.parametrize(
    "blank", [{"signer_name": "  "}, {"signer_email": " "}, {"signature": ""}, {"signer_name": None}]
)
async def test_name_email_and_signature_are_required(
    database: Database, admin: Connection, rosa: Person, blank: dict[str, Any]
) -> None:
    session_id = await make_session(database, rosa)

    with pytest.raises(asyncpg.PostgresError, match="Name, email and signature are required."):
        await sign(database, session_id, **blank)

    assert await admin.fetchval("select count(*) from waivers.signed") == 0


@pytest.mark.accept("SIGN-11")
@pytest.mark.parametrize(
    "drawing",
    [
        "a name as plain text",
        "data:image/svg+xml;base64,PHN2Zy8+",
        "data:image/png;base64,not base64 at all!",
        "data:image/png;base64," + base64.b64encode(b"GIF89a" + b"0" * 60).decode(),
        signature_data_url()[:40],
        signature_data_url().replace("image/png", "image/gif"),
        signature_data_url()[:-4] + '"><b',
    ],
)
async def test_only_a_png_is_a_signature(database: Database, rosa: Person, drawing: str) -> None:
    session_id = await make_session(database, rosa)

    with pytest.raises(asyncpg.PostgresError, match="must be a PNG image"):
        await sign(database, session_id, signature=drawing)


async def test_a_huge_signature_is_refused(database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa)

    with pytest.raises(asyncpg.PostgresError, match="too large"):
        await sign(database, session_id, signature=signature_data_url() + "A" * 700_000)


@pytest.mark.accept("REST-16")
async def test_an_unknown_session_cannot_be_signed(database: Database) -> None:
    with pytest.raises(asyncpg.PostgresError, match="Could not find the waiver session."):
        await sign(database, uuid4())


async def test_a_session_without_text_cannot_be_signed(database: Database, admin: Connection, rosa: Person) -> None:
    session_id = await make_session(database, rosa, await make_template(database, rosa, content=" "))

    with pytest.raises(asyncpg.PostgresError, match=r"Could not find the waiver template for this session\."):
        await sign(database, session_id)

    assert await admin.fetchval("select status from waivers.sessions") == "pending"


async def test_a_guest_can_sign_whatever_the_age_of_accounts_and_the_number_of_waivers(
    database: Database, admin: Connection, rosa: Person, gil: Person
) -> None:
    """The accounts are two months old and the company has more than a thousand waivers this month."""
    await admin.execute("update auth.users set created_at = now() - interval '60 days'")
    await admin.execute("update companies set created_at = now() - interval '60 days'")
    session_id = await make_session(database, rosa)
    for _ in range(20):
        await sign(database, session_id)
    await admin.execute(
        """
        insert into waivers.signed (session_id, company_id, template_id, template_name, signer_name, signer_email,
                                    signature, content, signed_at, record_sha256)
        select session_id, company_id, template_id, template_name, signer_name, signer_email, signature, content,
               signed_at, record_sha256
          from waivers.signed, generate_series(1, 60)
        """
    )

    waiver = await sign(database, await make_session(database, rosa), by=gil.principal)

    assert waiver["company_id"] == rosa.company


@pytest.mark.accept("SIGN-21")
async def test_an_expired_session_is_refused_with_advice(database: Database, admin: Connection, rosa: Person) -> None:
    session_id = await make_session(database, rosa)
    lifetime = await admin.fetchval("select expires_at - created_at from waivers.sessions")
    await admin.execute("update waivers.sessions set expires_at = now() - interval '1 second'")

    with pytest.raises(asyncpg.PostgresError, match="This waiver has expired. Please ask for a new link."):
        await sign(database, session_id)

    assert lifetime == timedelta(days=30)
    assert await admin.fetchval("select count(*) from waivers.signed") == 0


@pytest.mark.accept("SIGN-06")
async def test_signing_again_adds_a_record_and_does_not_change_the_session(database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa)
    first = await sign(database, session_id)
    async with database.acting_as(rosa.principal) as connection:
        before = await connection.fetchrow("select * from waiver_sessions")

    second = await sign(database, session_id, name="Gil O.", signature=signature_data_url(b"\xff\x00\x00\xff"))

    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchrow("select * from waiver_sessions") == before
        records = await connection.fetch("select * from signed_waivers order by signed_at")
    assert records == [first, second]


async def test_repeating_the_insert_returns_the_stored_row(database: Database, admin: Connection, rosa: Person) -> None:
    session_id, waiver_id = await make_session(database, rosa), uuid4()

    waivers = await asyncio.gather(*(sign(database, session_id, id=waiver_id) for _ in range(8)))

    assert {tuple(waiver) for waiver in waivers} == {tuple(waivers[0])}
    assert await admin.fetchval("select count(*) from waivers.signed") == 1
    assert await admin.fetchval("select count(*) from jobs.events where name = 'waiver.signed'") == 1


async def test_a_waiver_id_in_use_is_refused_for_another_session(database: Database, rosa: Person) -> None:
    waiver_id = uuid4()
    await sign(database, await make_session(database, rosa), id=waiver_id)

    with pytest.raises(asyncpg.UniqueViolationError):
        await sign(database, await make_session(database, rosa), id=waiver_id)


@pytest.mark.accept("SIGN-16")
@pytest.mark.parametrize("caller", ["anon", "rosa", "service"])
async def test_no_role_changes_or_deletes_a_signed_record(database: Database, rosa: Person, caller: str) -> None:
    waiver = await sign(database, await make_session(database, rosa))
    principal: Principal = {"anon": ANON, "rosa": rosa.principal, "service": SERVICE}[caller]

    for statement in (
        "update signed_waivers set signer_name = 'Someone else'",
        "delete from signed_waivers",
        "update waivers.signed set signer_name = 'Someone else'",
        "delete from waivers.signed",
        "update waivers.audit_events set name = 'nothing happened'",
        "delete from waivers.audit_events",
        "truncate waivers.signed cascade",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(principal, request_settings(waiver["id"]), by_id=True) as connection:
                await connection.execute(statement)


@pytest.mark.accept("SIGN-18")
async def test_the_default_session_of_a_template_cannot_be_signed(database: Database, rosa: Person) -> None:
    async with database.acting_as(rosa.principal) as connection:
        default = await connection.fetchval(
            "insert into waiver_sessions (template_id, status) values ($1, 'template_default') returning id",
            SAMPLE_TEMPLATE_ID,
        )

    with pytest.raises(asyncpg.PostgresError, match="Open a new session"):
        await sign(database, default)


async def test_the_record_stores_ip_address_and_device(database: Database, admin: Connection, rosa: Person) -> None:
    await sign(database, await make_session(database, rosa))

    record = await admin.fetchrow("select ip, user_agent from waivers.signed")

    assert tuple(record or ()) == ("203.0.113.7", "A phone")
