"""Runs a fake SMS gateway that speaks Twilio's protocol."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic import SecretStr

from cairn.messaging import MessagingSettings, SmtpSettings, TwilioSettings
from tests.fake_service import FakeService, JsonResponse, ReceivedRequest, listening

TOKEN = "a token for tests"
PHONE = "41791234567"
REJECTED_PHONE = "41790000000"


def twilio_response(request: ReceivedRequest) -> JsonResponse:
    """Rejects numbers that end with 0000, and is unavailable for numbers that end with 9999."""
    if request.login != ("AC1", TOKEN):
        return 401, {"code": 20003, "message": "Authenticate"}
    if request.form["To"].endswith("0000"):
        return 400, {"code": 21211, "message": "Invalid 'To' Phone Number"}
    if request.form["To"].endswith("9999"):
        return 503, {"message": "Come back later"}
    return 201, {"sid": f"SM{request.form['To']}", "status": "queued"}


def messaging_settings(
    gateway: FakeService, *, smtp: SmtpSettings | None = None, **changes: object
) -> MessagingSettings:
    defaults = {"account_sid": "AC1", "auth_token": SecretStr(TOKEN), "sender": "+15005550006"}
    twilio = TwilioSettings.model_validate({**defaults, "url": gateway.url, **changes})
    return MessagingSettings(twilio=twilio, smtp=smtp)


def twilio_environment(gateway: FakeService) -> dict[str, str]:
    """Returns the gateway's settings as environment variables, for a server in its own process."""
    settings = {"ACCOUNT_SID": "AC1", "AUTH_TOKEN": TOKEN, "SENDER": "+15005550006", "URL": gateway.url}
    return {f"CAIRN_MESSAGING__TWILIO__{name}": value for name, value in settings.items()}


@asynccontextmanager
async def silent_gateway() -> AsyncIterator[FakeService]:
    """Starts a gateway that accepts requests and never responds."""
    gateway, closing = FakeService(twilio_response), asyncio.Event()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        gateway.requests.append(ReceivedRequest((await reader.readline()).decode(), "", {}))
        await closing.wait()
        writer.close()

    async with listening(gateway, accept):
        try:
            yield gateway
        finally:
            closing.set()
