"""Sends text messages through Twilio's REST API."""

import httpx
from pydantic import BaseModel, SecretStr

from cairn.kit import default_ssl_context
from cairn.messaging.errors import TextNotSent, TextRefused, TextUnconfirmed
from cairn.messaging.sms.text_message import TextMessage


class TwilioSettings(BaseModel, frozen=True):
    """These settings are used only if account, token and sender are all set."""

    account_sid: str | None = None
    auth_token: SecretStr | None = None
    # A number with its country code (`+15005550006`), or the id of a messaging service (`MG…`).
    sender: str | None = None
    url: str = "https://api.twilio.com"
    timeout_seconds: float = 10.0

    @property
    def is_complete(self) -> bool:
        return bool(self.account_sid and self.auth_token and self.sender)


class TwilioGateway:
    def __init__(self, settings: TwilioSettings) -> None:
        assert settings.account_sid is not None, "check settings.is_complete first"
        assert settings.auth_token is not None, "check settings.is_complete first"
        assert settings.sender is not None, "check settings.is_complete first"
        self._account = settings.account_sid
        self._token = settings.auth_token
        self._sender = settings.sender
        self._url = f"{settings.url.rstrip('/')}/2010-04-01/Accounts/{settings.account_sid}/Messages.json"
        self._timeout_seconds = settings.timeout_seconds

    async def send(self, message: TextMessage) -> str:
        try:
            async with httpx.AsyncClient(
                auth=(self._account, self._token.get_secret_value()),
                verify=default_ssl_context(),
                timeout=self._timeout_seconds,
            ) as client:
                response = await client.post(self._url, data=self._form(message))
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise TextNotSent(reason="The SMS gateway could not be reached.") from error
        except httpx.HTTPError as error:
            raise TextUnconfirmed from error
        if response.status_code >= 400:
            raise _problem(response)
        return _message_id(response)

    def _form(self, message: TextMessage) -> dict[str, str]:
        prefix = "whatsapp:" if message.channel == "whatsapp" else ""
        sender = (
            {"MessagingServiceSid": self._sender} if self._sender.startswith("MG") else {"From": prefix + self._sender}
        )
        return {**sender, "To": f"{prefix}+{message.recipient}", "Body": message.body}


def _message_id(response: httpx.Response) -> str:
    try:
        return str(response.json()["sid"])
    except (ValueError, KeyError, TypeError) as error:
        raise TextUnconfirmed from error


def _problem(response: httpx.Response) -> TextNotSent:
    """Returns a temporary error for rate limits and server errors, and a permanent one otherwise."""
    try:
        message = str(response.json()["message"])
    except (ValueError, KeyError, TypeError):
        message = response.reason_phrase
    is_temporary = response.status_code == 429 or response.status_code >= 500
    problem_type = TextNotSent if is_temporary else TextRefused
    return problem_type(reason=f"The SMS gateway answered {response.status_code}: {message}")
