"""10A3: an account has a limited number of open sessions. The least recently used ones end first.

10A3 is a finding in docs/security.md.
"""

from datetime import timedelta

from cairn.db import SERVICE, Database
from tests.auth.conftest import AdvanceClock, VisitorWith
from tests.auth.mfa_client import MfaClient, current_code, enrol_app
from tests.auth.visitor import Visitor, json_of

ROSA, MALLORY = "rosa@rio-rafting.example", "mallory@rapid-rivals.example"


async def is_open(visitor: Visitor, session: dict[str, str]) -> bool:
    return (await visitor.user(session)).status_code == 200


async def test_10a3_another_sign_in_ends_the_least_recently_used_session(
    visitor_with: VisitorWith, database: Database
) -> None:
    async with visitor_with(sessions_per_account=3) as visitor:
        first = json_of(await visitor.sign_up(ROSA))
        rival = json_of(await visitor.sign_up(MALLORY))
        others = [json_of(await visitor.sign_in(ROSA)) for _ in range(2)]
        refreshed = json_of(await visitor.refresh(first["refresh_token"]))
        newest = json_of(await visitor.sign_in(ROSA))

        assert not await is_open(visitor, others[0])
        assert (await visitor.refresh(others[0]["refresh_token"])).status_code == 400
        for session in (refreshed, others[1], newest, rival):
            assert await is_open(visitor, session)
        for _ in range(5):
            await visitor.sign_in(ROSA)

    async with database.acting_as(SERVICE) as connection:
        counts = await connection.fetch(
            "select count(*) from auth.sessions s join auth.users u on u.id = s.user_id group by u.email order by 1"
        )
    assert [count for (count,) in counts] == [1, 3]


async def test_10a3_someone_who_only_knows_the_password_cannot_end_sessions_with_the_second_factor(
    visitor_with: VisitorWith,
) -> None:
    async with visitor_with(sessions_per_account=2) as visitor:
        rosa, _ = await enrol_app(visitor, json_of(await visitor.sign_up(ROSA)))
        mallory = [json_of(await visitor.sign_in(ROSA)) for _ in range(4)]

        assert await is_open(visitor, rosa.session)
        assert [await is_open(visitor, session) for session in mallory] == [False, False, True, True]


async def test_10a3_sessions_with_the_second_factor_are_limited_as_well(
    visitor_with: VisitorWith, advance_clock: AdvanceClock
) -> None:
    async with visitor_with(sessions_per_account=2) as visitor:
        rosa, app = await enrol_app(visitor, json_of(await visitor.sign_up(ROSA)))
        sessions = [rosa.session]
        for number in range(1, 4):
            # Each code works once, so each sign-in uses a later one.
            advance_clock(timedelta(minutes=number))
            signed_in = MfaClient(visitor, json_of(await visitor.sign_in(ROSA)))
            sessions.append(json_of(await signed_in.try_code(app["id"], current_code(app, 2 * number))))

        assert [await is_open(visitor, session) for session in sessions] == [False, False, True, True]
