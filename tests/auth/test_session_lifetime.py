"""Two settings limit how long a session lasts."""

from datetime import timedelta
from typing import Any

import pytest

from tests.auth.conftest import AdvanceClock, VisitorWith
from tests.auth.visitor import error_of, json_of

ROSA = "rosa@rio-rafting.example"


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"sessions_timebox": timedelta(hours=12)}, "Invalid Refresh Token: Session Expired"),
        (
            {"sessions_inactivity_timeout": timedelta(hours=8)},
            "Invalid Refresh Token: Session Expired (Inactivity)",
        ),
    ],
)
async def test_a_session_expires_after_the_configured_time(
    visitor_with: VisitorWith, advance_clock: AdvanceClock, limits: dict[str, Any], message: str
) -> None:
    async with visitor_with(**limits) as visitor:
        session = json_of(await visitor.sign_up(ROSA))
        advance_clock(timedelta(hours=7))
        session = json_of(await visitor.refresh(session["refresh_token"]))
        advance_clock(timedelta(hours=16))

        response = await visitor.refresh(session["refresh_token"])

    assert error_of(response) == (400, "session_expired")
    assert response.json()["message"] == message


async def test_activity_keeps_a_session_alive(visitor_with: VisitorWith, advance_clock: AdvanceClock) -> None:
    async with visitor_with(sessions_inactivity_timeout=timedelta(hours=8)) as visitor:
        session = json_of(await visitor.sign_up(ROSA))
        for hours in (7, 14, 21):
            advance_clock(timedelta(hours=hours))
            session = json_of(await visitor.refresh(session["refresh_token"]))
