import pytest
from pydantic import SecretStr

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.auth.conftest import open_visitor
from tests.auth.visitor import API_VERSION_HEADER, PASSWORD, error_of, json_of
from tests.fake_service import JsonResponse, ReceivedRequest, running_fake_service

ROSA = "rosa@rio-rafting.example"
REQUEST_BODIES = {
    "/signup": {"email": ROSA, "password": PASSWORD},
    "/token?grant_type=password": {"email": ROSA, "password": PASSWORD},
    "/otp": {"email": ROSA},
    "/recover": {"email": ROSA},
    "/resend": {"email": ROSA, "type": "signup"},
}


def verify_captcha(request: ReceivedRequest) -> JsonResponse:
    """Responds like the `siteverify` endpoint of hCaptcha."""
    if request.form.get("response") == "broken":
        return 500, {}
    is_solved = request.form == {"secret": "captcha secret", "response": "solved", "remoteip": "203.0.113.7"}
    return 200, {"success": True} if is_solved else {"success": False, "error-codes": ["invalid-input-response"]}


@pytest.fixture
def captcha_settings(settings: AuthSettings) -> AuthSettings:
    return settings.model_copy(update={"captcha_secret": SecretStr("captcha secret")})


@pytest.mark.parametrize("path", REQUEST_BODIES)
async def test_only_a_solved_captcha_is_accepted(
    database: Database, keyring: Keyring, captcha_settings: AuthSettings, path: str
) -> None:
    async with running_fake_service(verify_captcha) as service:
        settings_with_url = captcha_settings.model_copy(update={"captcha_url": f"{service.url}/siteverify"})
        async with open_visitor(database, keyring, settings_with_url) as visitor:

            async def send(solution: str | None) -> tuple[int, str]:
                body = {**REQUEST_BODIES[path], "gotrue_meta_security": {"captcha_token": solution} if solution else {}}
                response = await visitor.client.post(path, json=body, headers=API_VERSION_HEADER)
                return (response.status_code, "") if response.status_code == 200 else error_of(response)

            assert await send(None) == (400, "captcha_failed")
            assert await send("guessed") == (400, "captcha_failed")
            assert await send("broken") == (503, "captcha_unreachable")
            response_with_solution = await send("solved")

    assert response_with_solution == ((400, "invalid_credentials") if "token" in path else (200, ""))
    assert {request.path for request in service.requests} == {"/siteverify"}


async def test_the_service_key_and_refreshing_need_no_captcha(
    database: Database, keyring: Keyring, captcha_settings: AuthSettings, settings: AuthSettings
) -> None:
    async with open_visitor(database, keyring, settings) as visitor_without_captcha:
        session = json_of(await visitor_without_captcha.sign_up(ROSA))
    async with open_visitor(database, keyring, captcha_settings) as visitor:
        assert json_of(await visitor.refresh(session["refresh_token"]))
        response = await visitor.admin("POST", "/otp", {"email": ROSA})

    assert response.status_code == 200


async def test_requests_are_refused_while_the_captcha_service_is_unreachable(
    database: Database, keyring: Keyring, captcha_settings: AuthSettings
) -> None:
    unreachable_service = captcha_settings.model_copy(update={"captcha_url": "http://127.0.0.1:9/siteverify"})
    async with open_visitor(database, keyring, unreachable_service) as visitor:
        response = await visitor.post("/recover", email=ROSA, gotrue_meta_security={"captcha_token": "solved"})

    assert error_of(response) == (503, "captcha_unreachable")
    assert response.headers["retry-after"] == "1"
