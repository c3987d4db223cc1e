"""What the answers of providers over HTTP have in common."""

from typing import Any

import httpx

from cairn.messaging.errors import MailMisconfigured, MailNotSent, MailRefused, MailUnanswered

TIMEOUT_SECONDS = 15.0
# The mail itself is at fault.
_REFUSED = frozenset({400, 413, 415, 422})
# The key, the sender or the address of the service is: once that is mended the mail goes out.
_MISCONFIGURED = frozenset({401, 403, 404, 405, 410})


async def post(name: str, url: str, key: str, body: dict[str, Any], **headers: str) -> httpx.Response:
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS) as client:
            return await client.post(url, json=body, headers={"Authorization": f"Bearer {key}", **headers})
    except (httpx.HTTPError, httpx.InvalidURL) as lost:
        raise unreached(name, lost) from lost


def unreached(name: str, lost: Exception) -> MailNotSent:
    """Never connected is certain; anything later may have arrived."""
    kind = MailNotSent if isinstance(lost, (httpx.ConnectError, httpx.ConnectTimeout)) else MailUnanswered
    return kind(reason=f"{name} could not be reached.")


def refusal(status: int, words: str | None = None) -> MailNotSent:
    """In the provider's own words when it gave any."""
    reason = words or f"Failed to send email: {status}"
    if status in _REFUSED:
        return MailRefused(reason=reason)
    if status in _MISCONFIGURED:
        return MailMisconfigured(reason=reason)
    return MailNotSent(reason=reason)


def content(answer: httpx.Response) -> dict[str, Any]:
    """Empty when the answer is no JSON object."""
    try:
        told = answer.json()
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}
