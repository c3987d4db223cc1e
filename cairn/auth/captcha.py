"""Verifies a captcha with the captcha service. This is one of the few outgoing calls made while a request waits."""

import httpx

from cairn.auth.errors import CaptchaFailed, CaptchaUnreachable
from cairn.auth.model import Caller
from cairn.auth.settings import AuthSettings
from cairn.kit import default_ssl_context

TIMEOUT_SECONDS = 10.0


async def check_captcha(settings: AuthSettings, solution: str | None, caller: Caller) -> None:
    assert settings.captcha_secret is not None
    if not solution:
        raise CaptchaFailed(reason="no captcha_token found")
    form = {"secret": settings.captcha_secret.get_secret_value(), "response": solution, "remoteip": caller.ip or ""}
    try:
        async with httpx.AsyncClient(verify=default_ssl_context(), timeout=TIMEOUT_SECONDS) as client:
            result = (await client.post(settings.captcha_url, data=form)).raise_for_status().json()
    except (httpx.HTTPError, ValueError) as error:
        raise CaptchaUnreachable from error
    if not isinstance(result, dict) or result.get("success") is not True:
        raise CaptchaFailed(reason=_reason(result))


def _reason(result: object) -> str:
    codes = result.get("error-codes") if isinstance(result, dict) else None
    return ", ".join(map(str, codes)) if isinstance(codes, list) and codes else "not solved"
