"""What mail providers with an HTTP API have in common: requests, timeouts, and the meaning of a status."""

from typing import Any

import httpx

from cairn.messaging.errors import MailMisconfigured, MailNotSent, MailRefused, MailUnanswered

TIMEOUT_SECONDS = 15.0
# The email itself is at fault.
_REFUSED = frozenset({400, 413, 415, 422})
# The API key, the sender or the URL of the provider is at fault; the email can be sent once that is fixed.
_MISCONFIGURED = frozenset({401, 403, 404, 405, 410})


async def post_json(
    provider: str, url: str, api_key: str, body: dict[str, Any], headers: dict[str, str] | None = None
) -> httpx.Response:
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS) as client:
            authorization = {"Authorization": f"Bearer {api_key}"}
            return await client.post(url, json=body, headers={**authorization, **(headers or {})})
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise unreachable(provider, error) from error


def unreachable(provider: str, error: Exception) -> MailNotSent:
    """If no connection was made, the email was certainly not sent; after any later error it may have been."""
    kind = MailNotSent if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)) else MailUnanswered
    return kind(reason=f"{provider} could not be reached.")


def refusal(status: int, message: str | None = None) -> MailNotSent:
    """`message` is the provider's own explanation, if it gave one."""
    reason = message or f"Failed to send email: {status}"
    if status in _REFUSED:
        return MailRefused(reason=reason)
    if status in _MISCONFIGURED:
        return MailMisconfigured(reason=reason)
    return MailNotSent(reason=reason)


def json_object(response: httpx.Response) -> dict[str, Any]:
    """The body, or an empty dictionary if it is not a JSON object."""
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
