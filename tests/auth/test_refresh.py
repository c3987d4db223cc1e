import asyncio
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256

import pytest
from pydantic import SecretStr

from cairn.auth import AuthSettings, Keyring
from cairn.db import SERVICE, Connection, Database
from tests.auth.conftest import visiting
from tests.auth.visitor import Visitor, refusal, session_of

ROSA = "rosa@rio-rafting.example"
Later = Callable[[timedelta], None]


@pytest.mark.accept("AUTH-10")
async def test_a_token_used_up_long_ago_ends_its_own_session_and_no_other(visitor: Visitor, later: Later) -> None:
    phone = session_of(await visitor.sign_up(ROSA))
    laptop = session_of(await visitor.sign_in(ROSA))
    second = session_of(await visitor.refresh(phone["refresh_token"]))
    third = session_of(await visitor.refresh(second["refresh_token"]))
    assert len({each["refresh_token"] for each in (phone, second, third)}) == 3

    later(timedelta(seconds=11))
    stolen = await visitor.refresh(phone["refresh_token"])

    assert refusal(stolen) == (400, "refresh_token_already_used")
    assert stolen.json()["message"] == "Invalid Refresh Token: Already Used"
    assert refusal(await visitor.refresh(third["refresh_token"])) == (400, "refresh_token_not_found")
    assert refusal(await visitor.user(third)) == (403, "session_not_found")
    assert session_of(await visitor.refresh(laptop["refresh_token"]))


async def test_a_refreshed_session_is_the_same_session_of_the_same_person(visitor: Visitor) -> None:
    first = session_of(await visitor.sign_up(ROSA))

    second = session_of(await visitor.refresh(first["refresh_token"]))

    assert second["user"] == first["user"]
    assert second["access_token"] != first["access_token"]
    assert (await visitor.user(first)).status_code == (await visitor.user(second)).status_code == 200


async def test_tabs_that_refresh_at_once_get_the_same_token(visitor: Visitor, database: Database) -> None:
    first = session_of(await visitor.sign_up(ROSA))

    async with database.acting_as(SERVICE) as connection:
        await connection.execute("select from auth.sessions for update")
        tabs = [asyncio.create_task(visitor.refresh(first["refresh_token"])) for _ in range(6)]
        await _until_waiting(connection, len(tabs))
    answers = await asyncio.gather(*tabs)

    assert len({session_of(answer)["refresh_token"] for answer in answers}) == 1


async def test_a_tab_that_lags_a_few_turns_behind_gets_the_newest_token(visitor: Visitor) -> None:
    first = session_of(await visitor.sign_up(ROSA))
    second = session_of(await visitor.refresh(first["refresh_token"]))
    third = session_of(await visitor.refresh(second["refresh_token"]))

    late = session_of(await visitor.refresh(first["refresh_token"]))

    assert late["refresh_token"] == third["refresh_token"]


async def test_a_lost_answer_can_be_asked_for_again_days_later(visitor: Visitor, later: Later) -> None:
    first = session_of(await visitor.sign_up(ROSA))
    lost = session_of(await visitor.refresh(first["refresh_token"]))

    later(timedelta(days=3))
    again = session_of(await visitor.refresh(first["refresh_token"]))

    assert again["refresh_token"] == lost["refresh_token"]


async def test_a_stolen_copy_of_the_tables_opens_nothing(visitor: Visitor, database: Database) -> None:
    session = session_of(await visitor.sign_up(ROSA))
    await visitor.refresh(session["refresh_token"])
    async with database.acting_as(SERVICE) as connection:
        rows = await connection.fetch("select token_sha256, id, session_id from auth.refresh_tokens order by id")

    assert rows[0]["token_sha256"] == sha256(session["refresh_token"].encode()).digest()
    for row in rows:
        for guess in (row["token_sha256"].hex(), str(row["session_id"]), f"{row['session_id']}{row['id']}"):
            assert refusal(await visitor.refresh(guess)) == (400, "refresh_token_not_found")


async def test_a_new_server_secret_signs_nobody_out(
    visitor: Visitor, database: Database, settings: AuthSettings
) -> None:
    phone, laptop = session_of(await visitor.sign_up(ROSA)), session_of(await visitor.sign_in(ROSA))
    lost = session_of(await visitor.refresh(laptop["refresh_token"]))
    changed = settings.model_copy(update={"jwt_secret": SecretStr("another secret, since the first one leaked")})

    async with visiting(database, Keyring(changed), changed) as after:
        assert session_of(await after.refresh(phone["refresh_token"]))
        assert refusal(await after.refresh(laptop["refresh_token"])) == (400, "refresh_token_already_used")
        assert refusal(await after.refresh(lost["refresh_token"])) == (400, "refresh_token_not_found")


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
async def test_what_never_was_a_token_is_refused(visitor: Visitor, token: str, code: str) -> None:
    assert refusal(await visitor.refresh(token)) == (400, code)


@pytest.mark.slow
async def test_a_session_that_somebody_else_holds_too_long_is_a_conflict(visitor: Visitor, database: Database) -> None:
    session = session_of(await visitor.sign_up(ROSA))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("select from auth.sessions for update")

        answer = await visitor.refresh(session["refresh_token"])

    assert refusal(answer) == (409, "conflict")
    assert session_of(await visitor.refresh(session["refresh_token"]))


async def _until_waiting(connection: Connection, count: int) -> None:
    """All of them stand at the same lock, so that letting go starts a real race."""
    # Only Postgres knows, and it can be told of no event.
    while await connection.fetchval("select count(*) from pg_locks where not granted") < count:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
