"""An SMS gateway: a local server that speaks Twilio's protocol."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic import SecretStr

from cairn.messaging import MessagingSettings, SmtpSettings, TwilioSettings
from tests.outside import Answer, Asked, Outside

TOKEN = "a token of the tests"
PHONE = "41791234567"
REFUSED_PHONE = "41790000000"


def gateway(asked: Asked) -> Answer:
    if asked.login != ("AC1", TOKEN):
        return 401, {"code": 20003, "message": "Authenticate"}
    if asked.form["To"].endswith("0000"):
        return 400, {"code": 21211, "message": "Invalid 'To' Phone Number"}
    if asked.form["To"].endswith("9999"):
        return 503, {"message": "Come back later"}
    return 201, {"sid": f"SM{asked.form['To']}", "status": "queued"}


def through(place: Outside, *, smtp: SmtpSettings | None = None, **changes: object) -> MessagingSettings:
    given = {"account_sid": "AC1", "auth_token": SecretStr(TOKEN), "sender": "+15005550006"}
    twilio = TwilioSettings.model_validate({**given, "url": place.url, **changes})
    return MessagingSettings(twilio=twilio, smtp=smtp)


def texts_through(place: Outside) -> dict[str, str]:
    """The same, as an operator sets it."""
    given = {"ACCOUNT_SID": "AC1", "AUTH_TOKEN": TOKEN, "SENDER": "+15005550006", "URL": place.url}
    return {f"CAIRN_MESSAGING__TWILIO__{name}": value for name, value in given.items()}


@asynccontextmanager
async def silent_gateway() -> AsyncIterator[Outside]:
    """Takes whatever is sent, and never says a word."""
    place, closing = Outside(gateway), asyncio.Event()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        place.asked.append(Asked((await reader.readline()).decode(), "", {}))
        await closing.wait()
        writer.close()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    place.url = f"http://{host}:{port}"
    try:
        yield place
    finally:
        closing.set()
        server.close()
        await server.wait_closed()
