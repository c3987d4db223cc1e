"""How long a session lasts, where the house sets an end to it."""

from datetime import timedelta
from typing import Any

import pytest

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.auth.conftest import visiting
from tests.auth.test_refresh import Later
from tests.auth.visitor import refusal, session_of

ROSA = "rosa@rio-rafting.example"


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"sessions_timebox": timedelta(hours=12)}, "Invalid Refresh Token: Session Expired"),
        (
            {"sessions_inactivity_timeout": timedelta(hours=8)},
            "Invalid Refresh Token: Session Expired (Inactivity)",
        ),
    ],
)
async def test_a_session_ends_in_its_time(
    database: Database, keyring: Keyring, settings: AuthSettings, later: Later, limits: dict[str, Any], words: str
) -> None:
    async with visiting(database, keyring, settings.model_copy(update=limits)) as visitor:
        session = session_of(await visitor.sign_up(ROSA))
        later(timedelta(hours=7))
        session = session_of(await visitor.refresh(session["refresh_token"]))
        later(timedelta(hours=16))

        refused = await visitor.refresh(session["refresh_token"])

    assert refusal(refused) == (400, "session_expired")
    assert refused.json()["message"] == words


async def test_being_used_keeps_a_session_alive(
    database: Database, keyring: Keyring, settings: AuthSettings, later: Later
) -> None:
    idle = settings.model_copy(update={"sessions_inactivity_timeout": timedelta(hours=8)})
    async with visiting(database, keyring, idle) as visitor:
        session = session_of(await visitor.sign_up(ROSA))
        for hours in (7, 14, 21):
            later(timedelta(hours=hours))
            session = session_of(await visitor.refresh(session["refresh_token"]))
