import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from uuid import UUID

import httpx

from cairn.kit import Problem, now
from cairn.messaging.push.encryption import LONGEST, sealed
from cairn.messaging.push.settings import PushSettings
from cairn.messaging.push.vapid import Vapid, origin

# What is older than this when the browser comes back is no news.
_KEPT_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a browser said: where to send, and how to write so that only it can read."""

    endpoint: str
    p256dh: str = field(repr=False)
    auth: str = field(repr=False)


class PushFailed(Problem):
    status, code = 502, "push_failed"
    message = "{reason}"


class SubscriptionGone(Problem):
    """The browser let go of it, or it never was one: there is nobody to send to."""

    status, code = 410, "subscription_gone"
    message = "Nobody listens at this address any more."


class PushSender:
    def __init__(self, settings: PushSettings, sender: str) -> None:
        """`sender` stands in where the settings name nobody to turn to."""
        self._settings = settings
        self._vapid = Vapid(settings.private_key.get_secret_value(), settings.contact or f"mailto:{sender}")

    @property
    def public_key(self) -> str:
        """What a browser subscribes with."""
        return self._vapid.public_key

    async def send(self, subscription: Subscription, about: UUID, words: Mapping[str, str]) -> None:
        """`about` is what it tells of: a second push about the same replaces the first."""
        if not self._is_known(subscription.endpoint):
            raise SubscriptionGone
        try:
            body = sealed(_short(words), subscription.p256dh, subscription.auth)
        except ValueError as unreadable:
            raise SubscriptionGone from unreadable
        headers = {
            "Authorization": self._vapid.authorization(subscription.endpoint, now()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_KEPT_SECONDS),
            "Topic": about.hex,
        }
        await self._post(subscription.endpoint, body, headers)

    def _is_known(self, endpoint: str) -> bool:
        try:
            place = origin(endpoint)
        except ValueError:
            return False
        return any(fnmatchcase(place, service) for service in self._settings.services)

    async def _post(self, endpoint: str, body: bytes, headers: Mapping[str, str]) -> None:
        try:
            async with httpx.AsyncClient(timeout=self._settings.timeout_seconds) as client:
                answer = await client.post(endpoint, content=body, headers=dict(headers))
        except httpx.HTTPError as lost:
            raise PushFailed(reason="The push service could not be reached.") from lost
        # 400 and 403 are about the subscription too: it was made with another key of ours.
        if answer.status_code in (400, 403, 404, 410):
            raise SubscriptionGone
        if not answer.is_success:
            raise PushFailed(reason=f"The push service answered {answer.status_code}.")


def _short(words: Mapping[str, str]) -> bytes:
    """Cut where it would not fit; nobody reads that much in a notification anyway."""
    text = json.dumps(dict(words)).encode()
    if len(text) <= LONGEST:
        return text
    return json.dumps({key: value[:200] for key, value in words.items()}).encode()
