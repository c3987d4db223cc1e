"""Contains what the mail providers with an HTTP API share: the request, the timeout and the meaning of each status."""

from dataclasses import field
from typing import Any

import httpx

from cairn.kit import default_ssl_context, frozen_dataclass
from cairn.messaging.errors import MailMisconfigured, MailNotSent, MailRefused, MailUnanswered
from cairn.messaging.failure_reasons import failed_with_status, key_not_configured, no_response

TIMEOUT_SECONDS = 15.0
# With these statuses the email itself is at fault.
_REFUSED = frozenset({400, 413, 415, 422})
# With these statuses the API key, the sender or the URL is wrong. The email can be sent once that is fixed.
_MISCONFIGURED = frozenset({401, 403, 404, 405, 410})


@frozen_dataclass
class ProviderApi:
    """The HTTP API of a mail provider, which is called with the company's key."""

    provider: str
    url: str
    key: str | None = field(repr=False)

    async def post(self, body: dict[str, Any], headers: dict[str, str] | None = None) -> httpx.Response:
        if not self.key:
            raise MailMisconfigured(reason=key_not_configured(self.provider))
        try:
            async with httpx.AsyncClient(verify=default_ssl_context(), timeout=TIMEOUT_SECONDS) as client:
                authorization = {"Authorization": f"Bearer {self.key}"}
                return await client.post(self.url, json=body, headers={**authorization, **(headers or {})})
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unreachable_problem(self.provider, error) from error


def unreachable_problem(provider: str, error: Exception) -> MailNotSent:
    """Returns MailNotSent if no connection was made, and otherwise MailUnanswered: the email may have been sent."""
    was_connected = not isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout))
    problem_type = MailUnanswered if was_connected else MailNotSent
    return problem_type(reason=no_response(f"{provider} could not be reached."))


def problem_for_status(status: int, message: str | None = None) -> MailNotSent:
    """Returns the error for an HTTP status. `message` is the explanation of the provider, if there is one."""
    reason = failed_with_status(status, message)
    if status in _REFUSED:
        return MailRefused(reason=reason)
    if status in _MISCONFIGURED:
        return MailMisconfigured(reason=reason)
    return MailNotSent(reason=reason)


def json_object(response: httpx.Response) -> dict[str, Any]:
    """Returns the body, or an empty dictionary if it is not a JSON object."""
    try:
        body = response.json()
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}
