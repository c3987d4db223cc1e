"""An adult whom a guest adds to their waiver is not covered by it: they are invited to sign one of their own."""

import json
from uuid import UUID, uuid4

import asyncpg
import pytest

from cairn.db import ANON, Connection, Database
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, open_session, request_settings
from tests.people import Person
from tests.waivers.acts import call, cancel, expire, history, session_row
from tests.waivers.forms import sample_forms
from tests.waivers.forms.inviting import invite
from tests.waivers.forms.sample_forms import EMERGENCY, GUARDIAN, minor, sign_form


@pytest.fixture
async def session_id(database: Database, rosa: Person) -> UUID:
    return await sample_forms.open_session(database, rosa)


@pytest.mark.accept("FORM-46")
async def test_an_invited_adult_has_a_link_of_their_own_with_the_same_text(
    database: Database, admin: Connection, rosa: Person, session_id: UUID
) -> None:
    await call(database, rosa.principal, "update waiver_templates set content = 'A newer text.'")

    adult_id = await invite(database, session_id, name="  Nia Okafor ")

    adult = await session_row(database, rosa, adult_id)
    guardian = await session_row(database, rosa, session_id)
    same = ("company_id", "template_id", "template_name", "template_content", "form")
    assert [adult[column] for column in same] == [guardian[column] for column in same]
    assert (adult["status"], adult["recipient_name"], adult["recipient_email"]) == ("pending", "Nia Okafor", None)
    assert adult["expires_at"] is not None
    versions = await admin.fetch(
        "select template_version, invited_by from waivers.sessions order by invited_by nulls first"
    )
    assert [tuple(row) for row in versions] == [(1, None), (1, session_id)]

    await sign_form(database, adult_id, answers={"emergency": EMERGENCY, "asthma": False})
    await sign_form(
        database,
        session_id,
        answers={"emergency": EMERGENCY, "asthma": False},
        participants=[minor()],
        guardian=GUARDIAN,
    )
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


@pytest.mark.accept("FORM-46")
async def test_both_histories_record_the_invitation_and_name_no_one(
    database: Database, rosa: Person, session_id: UUID
) -> None:
    adult_id = await invite(database, session_id)

    guardian_events, adult_events = await history(database, rosa, session_id), await history(database, rosa, adult_id)
    assert [name for name, _ in guardian_events] == ["session.opened", "adult.invited"]
    assert [name for name, _ in adult_events] == ["session.opened", "adult.invited"]
    assert guardian_events[1][1]["invites"] == str(adult_id)
    assert adult_events[1][1]["invited_by"] == str(session_id)
    assert adult_events[1][1]["ip"] == "198.51.100.4"
    assert "Nia" not in json.dumps([guardian_events, adult_events])


@pytest.mark.accept("FORM-46")
async def test_the_company_sees_the_invited_adult_in_its_directory_and_a_rival_does_not(
    database: Database, admin: Connection, rosa: Person, mallory: Person, session_id: UUID
) -> None:
    adult_id = await invite(database, session_id)

    names = "select array_agg(name order by name) from waiver_directory(state => 'pending')"
    assert await call(database, rosa.principal, names) == ["Gil Okafor", "Nia Okafor"]
    assert await call(database, mallory.principal, names) is None
    changes = await admin.fetch("select payload from jobs.outbox where name = 'row.changed'")
    [payload] = [change for row in changes if (change := json.loads(row["payload"]))["table"] == "waiver_sessions"]
    assert (payload["id"], payload["type"], payload["company_id"]) == (str(adult_id), "INSERT", str(rosa.company))


async def test_neither_person_learns_the_link_of_the_other_from_their_own(database: Database, session_id: UUID) -> None:
    adult_id = await invite(database, session_id)

    for own_id, other_id in ((session_id, adult_id), (adult_id, session_id)):
        async with database.acting_as(ANON, request_settings(own_id)) as connection:
            [row] = await connection.fetch("select to_jsonb(s)::text as row from waiver_sessions s")
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.fetch("select * from waiver_events")
        assert str(other_id) not in row["row"]


async def test_a_repeated_request_opens_one_session(database: Database, admin: Connection, session_id: UUID) -> None:
    adult_id = uuid4()

    assert [await invite(database, session_id, invited_id=adult_id) for _ in range(3)] == [adult_id] * 3

    assert await admin.fetchval("select count(*) from waivers.sessions where invited_by = $1", session_id) == 1
    other_id = await invite(database, session_id)
    for taken_id in (session_id, adult_id):
        with pytest.raises(asyncpg.UniqueViolationError, match="This session id is taken"):
            await invite(database, other_id, invited_id=taken_id)


@pytest.mark.accept("FORM-47")
async def test_a_link_invites_at_most_ten_adults(database: Database, admin: Connection, session_id: UUID) -> None:
    for _ in range(10):
        await invite(database, session_id)

    with pytest.raises(asyncpg.PostgresError, match="10 adults were invited already"):
        await invite(database, session_id)

    assert await admin.fetchval("select count(*) from waivers.sessions") == 11


@pytest.mark.parametrize(
    ("person", "code"),
    [
        ({"age": 17}, "participant_is_minor"),
        ({"age": 131}, "participant_birth_date_required"),
        ({"age": -1}, "participant_birth_date_required"),
        ({"name": "\u200b "}, "participant_name_required"),
        ({"name": None}, "participant_name_required"),
        ({"name": "x" * 401}, "participant_name_required"),
    ],
)
async def test_only_adults_with_a_name_are_invited(
    database: Database, admin: Connection, session_id: UUID, person: dict[str, int | str | None], code: str
) -> None:
    with pytest.raises(asyncpg.PostgresError, match=f'"code": ?"{code}"'):
        await invite(database, session_id, **person)  # type: ignore[arg-type]

    assert await admin.fetchval("select count(*) from waivers.sessions") == 1


async def test_the_age_of_majority_is_the_one_of_the_form(database: Database, rosa: Person) -> None:
    form = {**sample_forms.FAMILY_FORM, "covers": {"minors": {}, "age_of_majority": 21}}
    session_id = await sample_forms.open_session(database, rosa, form)

    with pytest.raises(asyncpg.PostgresError, match="participant_is_minor"):
        await invite(database, session_id, age=20)
    await invite(database, session_id, age=21)


async def test_a_link_that_cannot_be_signed_invites_no_one(database: Database, admin: Connection, rosa: Person) -> None:
    closed = {
        "Could not find the waiver session": uuid4(),
        "This waiver was cancelled": await sample_forms.open_session(database, rosa),
        "This waiver has expired": await sample_forms.open_session(database, rosa),
        "participants_not_covered": await make_session(database, rosa),
        "This session is the template's own": await open_session(database, rosa.principal, status="template_default"),
    }
    await cancel(database, rosa, closed["This waiver was cancelled"])
    await expire(admin, closed["This waiver has expired"])
    before = await admin.fetchval("select count(*) from waivers.sessions")

    for reason, session_id in closed.items():
        with pytest.raises(asyncpg.PostgresError, match=reason):
            await invite(database, session_id)

    assert await admin.fetchval("select count(*) from waivers.sessions") == before


async def test_a_suspended_company_and_an_erased_waiver_invite_no_one(
    database: Database, admin: Connection, rosa: Person, session_id: UUID
) -> None:
    waiver = await sign_form(
        database,
        session_id,
        answers={"emergency": EMERGENCY, "asthma": False},
        participants=[minor()],
        guardian=GUARDIAN,
    )
    await invite(database, session_id)
    await call(database, rosa.principal, "select erase_waiver($1, 'On request')", waiver["id"])
    with pytest.raises(asyncpg.PostgresError, match="has been erased, so the link is closed"):
        await invite(database, session_id)

    suspended_id = await sample_forms.open_session(database, rosa)
    await admin.execute("update companies set suspended_at = now() where id = $1", rosa.company)
    with pytest.raises(asyncpg.PostgresError, match="does not accept signatures"):
        await invite(database, suspended_id)


async def test_a_guest_who_signs_a_sample_that_no_company_sent_can_invite_too(
    database: Database, admin: Connection
) -> None:
    await admin.execute(
        "update waiver_templates set form = $1 where id = $2", json.dumps(sample_forms.FAMILY_FORM), SAMPLE_TEMPLATE_ID
    )
    session_id = await open_session(database, ANON)

    adult_id = await invite(database, session_id)

    row = await admin.fetchrow("select company_id, copy_on_request from waivers.sessions where id = $1", adult_id)
    assert row is not None
    assert tuple(row) == (None, True)
