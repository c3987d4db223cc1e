"""Text messages through Twilio's REST interface."""

import httpx
from pydantic import BaseModel, SecretStr

from cairn.messaging.errors import TextNotSent, TextRefused, TextUnanswered
from cairn.messaging.sms.text_message import TextMessage


class TwilioSettings(BaseModel, frozen=True):
    """In use when all three of account, token and sender are set."""

    account_sid: str | None = None
    auth_token: SecretStr | None = None
    # A number with its country (`+15005550006`), or the id of a messaging service (`MG…`).
    sender: str | None = None
    url: str = "https://api.twilio.com"
    timeout_seconds: float = 10.0

    @property
    def is_complete(self) -> bool:
        return bool(self.account_sid and self.auth_token and self.sender)


class TwilioGateway:
    def __init__(self, settings: TwilioSettings) -> None:
        assert settings.account_sid is not None, "asked for without its settings"
        assert settings.auth_token is not None, "asked for without its settings"
        assert settings.sender is not None, "asked for without its settings"
        self._account = settings.account_sid
        self._token = settings.auth_token
        self._sender = settings.sender
        self._url = f"{settings.url.rstrip('/')}/2010-04-01/Accounts/{settings.account_sid}/Messages.json"
        self._timeout = settings.timeout_seconds

    async def send(self, message: TextMessage) -> str:
        try:
            async with httpx.AsyncClient(
                auth=(self._account, self._token.get_secret_value()), timeout=self._timeout
            ) as client:
                answer = await client.post(self._url, data=self._form(message))
        except (httpx.ConnectError, httpx.ConnectTimeout) as lost:
            raise TextNotSent(reason="The SMS gateway could not be reached.") from lost
        except httpx.HTTPError as silent:
            raise TextUnanswered from silent
        if answer.status_code >= 400:
            raise _problem(answer)
        return _receipt(answer)

    def _form(self, message: TextMessage) -> dict[str, str]:
        prefix = "whatsapp:" if message.channel == "whatsapp" else ""
        sender = (
            {"MessagingServiceSid": self._sender} if self._sender.startswith("MG") else {"From": prefix + self._sender}
        )
        return {**sender, "To": f"{prefix}+{message.recipient}", "Body": message.body}


def _receipt(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["sid"])
    except (ValueError, KeyError, TypeError) as strange:
        raise TextUnanswered from strange


def _problem(answer: httpx.Response) -> TextNotSent:
    """Too many and broken servers pass; everything else Twilio refuses for good."""
    try:
        words = str(answer.json()["message"])
    except (ValueError, KeyError, TypeError):
        words = answer.reason_phrase
    passing = answer.status_code == 429 or answer.status_code >= 500
    kind = TextNotSent if passing else TextRefused
    return kind(reason=f"The SMS gateway answered {answer.status_code}: {words}")
