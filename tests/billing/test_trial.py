"""A trial lasts seven days from the first sign-in, by the clock of the server, which users cannot change."""

from datetime import UTC, date, datetime, timedelta

import asyncpg
import pytest

from cairn.db import Connection
from tests.accounts.conftest import GIL, Accounts

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.mark.accept("TRIAL-03", "TRIAL-04")
@pytest.mark.parametrize(
    ("elapsed", "expected_days"),
    [
        (timedelta(0), 7),
        (timedelta(seconds=1), 7),
        (timedelta(days=1) - timedelta(seconds=1), 7),
        (timedelta(days=1), 6),
        (timedelta(days=5, hours=1), 2),
        (timedelta(days=6, hours=23), 1),
        (timedelta(days=7), 0),
        (timedelta(days=7, hours=12), 0),
        (timedelta(days=8) - timedelta(microseconds=1), 0),
        (timedelta(days=8), -1),
        (timedelta(days=30), -23),
    ],
    ids=str,
)
async def test_remaining_days_are_rounded_up_and_become_negative(
    admin: Connection, elapsed: timedelta, expected_days: int
) -> None:
    remaining_days = await admin.fetchval("select billing.days_remaining($1, $2)", START, START + elapsed)

    assert remaining_days == expected_days


async def test_daylight_saving_time_does_not_shorten_the_trial(admin: Connection) -> None:
    await admin.execute("set timezone = 'Europe/Madrid'")
    before_the_change = datetime(2026, 3, 27, 9, tzinfo=UTC)
    in_the_last_hour = before_the_change + timedelta(hours=167, minutes=30)

    assert await admin.fetchval("select billing.days_remaining($1, $1)", before_the_change) == 7
    assert await admin.fetchval("select billing.days_remaining($1, $2)", before_the_change, in_the_last_hour) == 1


@pytest.mark.accept("TRIAL-01", "TRIAL-05", "ENT-04")
async def test_the_first_sign_in_starts_the_trial(accounts: Accounts) -> None:
    session = await accounts.sign_up(GIL)

    [trial] = await accounts.fetch(
        session, "select *, start_date > now() - interval '1 minute' as just_now from trials"
    )

    assert str(trial["user_id"]) == session["user"]["id"]
    assert (trial["just_now"], trial["subscribed"]) == (True, False)
    assert (trial["days_remaining"], trial["is_active"]) == (7, True)


async def test_an_invitation_starts_the_trial_at_the_first_sign_in(accounts: Accounts, admin: Connection) -> None:
    await accounts.visitor.admin("POST", "/invite", {"email": GIL, "data": {"role": "customer"}})
    assert await admin.fetchval("select count(*) from billing.trials") == 0

    await accounts.open_emailed_link(GIL)

    assert await admin.fetchval("select count(*) from billing.trials") == 1


@pytest.mark.accept("TRIAL-02")
async def test_signing_in_again_does_not_restart_the_trial_and_users_cannot_change_it(
    accounts: Accounts, admin: Connection
) -> None:
    first_session = await accounts.sign_up(GIL)
    await admin.execute("update billing.trials set start_date = start_date - interval '6 days'")

    second_session = await accounts.sign_in(GIL)

    for session in (first_session, second_session):
        [trial] = await accounts.fetch(session, "select days_remaining from trials")
        assert trial["days_remaining"] == 1
        for forgery in (
            "update trials set start_date = now()",
            "update trials set subscribed = true",
            "update billing.trials set start_date = now()",
            "delete from billing.trials",
            "insert into billing.trials (user_id) values (gen_random_uuid())",
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await accounts.fetch(session, forgery)


@pytest.mark.accept("TRIAL-02")
async def test_users_see_only_their_own_trial(accounts: Accounts) -> None:
    await accounts.sign_up(GIL)
    mallory = await accounts.sign_up("mallory@rapid-rivals.example", "company")

    visible_trials = await accounts.fetch(mallory, "select user_id from trials")

    assert [str(trial["user_id"]) for trial in visible_trials] == [mallory["user"]["id"]]


async def trial_message(accounts: Accounts, session: dict[str, object], day: date) -> str | None:
    [row] = await accounts.fetch(session, "select tell_trial($1) as message", day)
    message: str | None = row["message"]
    return message


@pytest.mark.accept("TRIAL-08")
async def test_the_trial_message_is_shown_once_a_day_on_one_device(accounts: Accounts) -> None:
    phone, today = await accounts.sign_up(GIL), datetime.now(UTC).date()
    laptop = await accounts.sign_in(GIL)

    assert await trial_message(accounts, phone, today) == "welcome"
    assert await trial_message(accounts, laptop, today) is None
    assert await trial_message(accounts, phone, today - timedelta(days=1)) is None
    assert await trial_message(accounts, laptop, today + timedelta(days=1)) == "reminder"
    assert await trial_message(accounts, phone, today + timedelta(days=1)) is None
    assert await trial_message(accounts, phone, today + timedelta(days=9)) is None, "no time zone is that far ahead"


@pytest.mark.parametrize("change", ["subscribed = true", "start_date = now() - interval '8 days'"])
async def test_subscribers_and_users_with_an_expired_trial_get_no_message(
    accounts: Accounts, admin: Connection, change: str
) -> None:
    session = await accounts.sign_up(GIL)
    await admin.execute(f"update billing.trials set {change}")

    assert await trial_message(accounts, session, datetime.now(UTC).date()) is None
