import pytest
from pydantic import SecretStr

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.auth.conftest import visiting
from tests.auth.visitor import NEWER, PASSWORD, refusal, session_of
from tests.outside import Answer, Asked, outside

ROSA = "rosa@rio-rafting.example"
ROUTES = {
    "/signup": {"email": ROSA, "password": PASSWORD},
    "/token?grant_type=password": {"email": ROSA, "password": PASSWORD},
    "/otp": {"email": ROSA},
    "/recover": {"email": ROSA},
    "/resend": {"email": ROSA, "type": "signup"},
}


def judge(asked: Asked) -> Answer:
    """As hCaptcha's `siteverify` answers."""
    if asked.form.get("response") == "broken":
        return 500, {}
    solved = asked.form == {"secret": "of the tests", "response": "solved", "remoteip": "203.0.113.7"}
    return 200, {"success": True} if solved else {"success": False, "error-codes": ["invalid-input-response"]}


@pytest.fixture
def guarded(settings: AuthSettings) -> AuthSettings:
    return settings.model_copy(update={"captcha_secret": SecretStr("of the tests")})


@pytest.mark.parametrize("path", ROUTES)
async def test_only_a_solved_captcha_passes(
    database: Database, keyring: Keyring, guarded: AuthSettings, path: str
) -> None:
    async with outside(judge) as service:
        asking = guarded.model_copy(update={"captcha_url": f"{service.url}/siteverify"})
        async with visiting(database, keyring, asking) as visitor:

            async def ask(solution: str | None) -> tuple[int, str]:
                body = {**ROUTES[path], "gotrue_meta_security": {"captcha_token": solution} if solution else {}}
                answer = await visitor.client.post(path, json=body, headers=NEWER)
                return (answer.status_code, "") if answer.status_code == 200 else refusal(answer)

            assert await ask(None) == (400, "captcha_failed")
            assert await ask("guessed") == (400, "captcha_failed")
            assert await ask("broken") == (503, "captcha_unreachable")
            passed = await ask("solved")

    assert passed == ((400, "invalid_credentials") if "token" in path else (200, ""))
    assert {asked.path for asked in service.asked} == {"/siteverify"}


async def test_our_own_server_code_needs_none_and_refreshing_neither(
    database: Database, keyring: Keyring, guarded: AuthSettings, settings: AuthSettings
) -> None:
    async with visiting(database, keyring, settings) as unguarded:
        session = session_of(await unguarded.sign_up(ROSA))
    async with visiting(database, keyring, guarded) as visitor:
        assert session_of(await visitor.refresh(session["refresh_token"]))
        asked = await visitor.admin("POST", "/otp", {"email": ROSA})

    assert asked.status_code == 200


async def test_when_the_service_is_away_nobody_slips_through(
    database: Database, keyring: Keyring, guarded: AuthSettings
) -> None:
    away = guarded.model_copy(update={"captcha_url": "http://127.0.0.1:9/siteverify"})
    async with visiting(database, keyring, away) as visitor:
        answer = await visitor.ask("/recover", email=ROSA, gotrue_meta_security={"captcha_token": "solved"})

    assert refusal(answer) == (503, "captcha_unreachable")
    assert answer.headers["retry-after"] == "1"
