import asyncio
from datetime import timedelta
from hashlib import sha256

import pytest
from pydantic import SecretStr

from cairn.auth import AuthSettings, Keyring, sweep
from cairn.db import SERVICE, Connection, Database
from tests.auth.conftest import AdvanceClock, open_visitor
from tests.auth.visitor import Visitor, error_of, json_of

ROSA = "rosa@rio-rafting.example"


@pytest.mark.accept("AUTH-10")
async def test_reusing_an_old_refresh_token_ends_only_its_own_session(
    visitor: Visitor, advance_clock: AdvanceClock
) -> None:
    phone = json_of(await visitor.sign_up(ROSA))
    laptop = json_of(await visitor.sign_in(ROSA))
    second = json_of(await visitor.refresh(phone["refresh_token"]))
    third = json_of(await visitor.refresh(second["refresh_token"]))
    assert len({session["refresh_token"] for session in (phone, second, third)}) == 3

    advance_clock(timedelta(seconds=11))
    response = await visitor.refresh(phone["refresh_token"])

    assert error_of(response) == (400, "refresh_token_already_used")
    assert response.json()["message"] == "Invalid Refresh Token: Already Used"
    assert error_of(await visitor.refresh(third["refresh_token"])) == (400, "refresh_token_not_found")
    assert error_of(await visitor.user(third)) == (403, "session_not_found")
    assert json_of(await visitor.refresh(laptop["refresh_token"]))


@pytest.mark.accept("AUTH-10")
async def test_a_used_up_token_is_accepted_within_ten_seconds_and_refused_afterwards(
    visitor: Visitor, advance_clock: AdvanceClock
) -> None:
    """A token is used up if its successor was used too."""
    first = json_of(await visitor.sign_up(ROSA))
    second = json_of(await visitor.refresh(first["refresh_token"]))
    third = json_of(await visitor.refresh(second["refresh_token"]))

    advance_clock(timedelta(seconds=9))
    assert json_of(await visitor.refresh(first["refresh_token"]))["refresh_token"] == third["refresh_token"]
    advance_clock(timedelta(seconds=11))
    assert error_of(await visitor.refresh(first["refresh_token"])) == (400, "refresh_token_already_used")
    for token in (second, third):
        assert error_of(await visitor.refresh(token["refresh_token"])) == (400, "refresh_token_not_found")


@pytest.mark.accept("AUTH-10")
async def test_the_reuse_of_a_token_is_recorded(
    visitor: Visitor, database: Database, advance_clock: AdvanceClock
) -> None:
    first = json_of(await visitor.sign_up(ROSA))
    second = json_of(await visitor.refresh(first["refresh_token"]))
    await visitor.refresh(second["refresh_token"])
    advance_clock(timedelta(seconds=11))

    await visitor.refresh(first["refresh_token"])

    async with database.acting_as(SERVICE) as connection:
        entries = await connection.fetch(
            """
            select user_id::text, payload ->> 'session_id' as session_id
              from auth.audit_log
             where act = 'token_reused'
            """
        )
    assert [entry["user_id"] for entry in entries] == [first["user"]["id"]]
    assert entries[0]["session_id"] is not None


async def test_refreshing_keeps_the_session_and_the_user(visitor: Visitor) -> None:
    first = json_of(await visitor.sign_up(ROSA))

    second = json_of(await visitor.refresh(first["refresh_token"]))

    assert second["user"] == first["user"]
    assert second["access_token"] != first["access_token"]
    assert (await visitor.user(first)).status_code == (await visitor.user(second)).status_code == 200


async def test_tabs_that_refresh_simultaneously_get_the_same_token(visitor: Visitor, database: Database) -> None:
    first = json_of(await visitor.sign_up(ROSA))

    async with database.acting_as(SERVICE) as connection:
        await connection.execute("select from auth.sessions for update")
        tabs = [asyncio.create_task(visitor.refresh(first["refresh_token"])) for _ in range(6)]
        await _wait_for_lock_queue(connection, len(tabs))
    responses = await asyncio.gather(*tabs)

    assert len({json_of(response)["refresh_token"] for response in responses}) == 1


async def test_a_tab_that_is_two_refreshes_behind_gets_the_newest_token(visitor: Visitor) -> None:
    first = json_of(await visitor.sign_up(ROSA))
    second = json_of(await visitor.refresh(first["refresh_token"]))
    third = json_of(await visitor.refresh(second["refresh_token"]))

    late_session = json_of(await visitor.refresh(first["refresh_token"]))

    assert late_session["refresh_token"] == third["refresh_token"]


@pytest.mark.accept("AUTH-10")
async def test_a_lost_response_can_be_requested_again_days_later(visitor: Visitor, advance_clock: AdvanceClock) -> None:
    first = json_of(await visitor.sign_up(ROSA))
    lost_session = json_of(await visitor.refresh(first["refresh_token"]))

    advance_clock(timedelta(days=3))
    repeated_session = json_of(await visitor.refresh(first["refresh_token"]))

    assert repeated_session["refresh_token"] == lost_session["refresh_token"]


async def test_stolen_table_contents_cannot_be_used_as_tokens(visitor: Visitor, database: Database) -> None:
    session = json_of(await visitor.sign_up(ROSA))
    await visitor.refresh(session["refresh_token"])
    async with database.acting_as(SERVICE) as connection:
        rows = await connection.fetch("select token_sha256, id, session_id from auth.refresh_tokens order by id")

    assert rows[0]["token_sha256"] == sha256(session["refresh_token"].encode()).digest()
    for row in rows:
        for candidate in (row["token_sha256"].hex(), str(row["session_id"]), f"{row['session_id']}{row['id']}"):
            assert error_of(await visitor.refresh(candidate)) == (400, "refresh_token_not_found")


async def test_sessions_continue_after_the_server_secret_was_replaced(
    visitor: Visitor, database: Database, settings: AuthSettings
) -> None:
    phone, laptop = json_of(await visitor.sign_up(ROSA)), json_of(await visitor.sign_in(ROSA))
    lost_session = json_of(await visitor.refresh(laptop["refresh_token"]))
    new_settings = settings.model_copy(update={"jwt_secret": SecretStr("another secret, since the first one leaked")})

    async with open_visitor(database, Keyring(new_settings), new_settings) as new_visitor:
        assert json_of(await new_visitor.refresh(phone["refresh_token"]))
        assert error_of(await new_visitor.refresh(laptop["refresh_token"])) == (400, "refresh_token_already_used")
        assert error_of(await new_visitor.refresh(lost_session["refresh_token"])) == (400, "refresh_token_not_found")


@pytest.mark.parametrize(
    ("token", "code"),
    [
        ("", "validation_failed"),
        ("elevenchars", "validation_failed"),
        ("Twelve-chars", "validation_failed"),
        ("twelvechars1", "refresh_token_not_found"),
        ("\x00" * 40, "refresh_token_not_found"),
        ("a" * 5000, "refresh_token_not_found"),
    ],
)
async def test_a_malformed_refresh_token_is_refused(visitor: Visitor, token: str, code: str) -> None:
    assert error_of(await visitor.refresh(token)) == (400, code)


@pytest.mark.slow
async def test_a_session_locked_for_too_long_is_a_conflict(visitor: Visitor, database: Database) -> None:
    session = json_of(await visitor.sign_up(ROSA))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("select from auth.sessions for update")

        response = await visitor.refresh(session["refresh_token"])

    assert error_of(response) == (409, "conflict")
    assert json_of(await visitor.refresh(session["refresh_token"]))


async def _wait_for_lock_queue(connection: Connection, count: int) -> None:
    """Waits until all requests wait for the same lock, so that releasing it starts a real race."""
    # PostgreSQL offers no event for this, so the test has to poll.
    while await connection.fetchval("select count(*) from pg_locks where not granted") < count:  # noqa: ASYNC110 - polls from outside
        await asyncio.sleep(0.01)


async def test_replaced_tokens_are_deleted_after_a_month_and_the_session_goes_on(
    visitor: Visitor, database: Database, admin: Connection, settings: AuthSettings
) -> None:
    first = json_of(await visitor.sign_up(ROSA))
    second = json_of(await visitor.refresh(first["refresh_token"]))
    third = json_of(await visitor.refresh(second["refresh_token"]))

    for days, count in ((29, 3), (2, 1)):
        older = "created_at = created_at - $1::interval, revoked_at = revoked_at - $1::interval"
        await admin.execute(f"update auth.refresh_tokens set {older}", timedelta(days=days))
        await sweep(database, settings)
        assert await admin.fetchval("select count(*) from auth.refresh_tokens") == count

    assert error_of(await visitor.refresh(first["refresh_token"])) == (400, "refresh_token_not_found")
    assert json_of(await visitor.refresh(third["refresh_token"]))
