"""Sends push messages to the push service of each browser."""

import json
from collections.abc import Mapping
from dataclasses import field
from fnmatch import fnmatchcase
from uuid import UUID

import httpx

from cairn.kit import default_ssl_context, frozen_dataclass, now
from cairn.messaging.errors import PushFailed, SubscriptionGone
from cairn.messaging.push.encryption import MAX_MESSAGE_BYTES, encrypt
from cairn.messaging.push.settings import PushSettings
from cairn.messaging.push.vapid import Vapid, origin

# If the browser is offline for longer than this, the message is out of date and is dropped.
_TTL_SECONDS = 86_400
_SHORTENED_LENGTH = 200


@frozen_dataclass
class Subscription:
    """The URL and the keys that a browser generated when the user allowed notifications."""

    endpoint: str
    p256dh: str = field(repr=False)
    auth: str = field(repr=False)


class PushSender:
    def __init__(self, settings: PushSettings, sender: str) -> None:
        """`sender` is the contact address if the settings contain none."""
        self._settings = settings
        self._vapid = Vapid(settings.private_key.get_secret_value(), settings.contact or f"mailto:{sender}")

    @property
    def public_key(self) -> str:
        """The key with which a browser subscribes."""
        return self._vapid.public_key

    async def send(self, subscription: Subscription, about: UUID, payload: Mapping[str, str]) -> None:
        """Idempotent by `about`: a second message about the same subject replaces the first."""
        if not self._is_push_service(subscription.endpoint):
            raise SubscriptionGone
        try:
            body = encrypt(_encode(payload), subscription.p256dh, subscription.auth)
        except ValueError as malformed_key:
            raise SubscriptionGone from malformed_key
        headers = {
            "Authorization": self._vapid.authorization(subscription.endpoint, now()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_TTL_SECONDS),
            "Topic": about.hex,
        }
        await self._post(subscription.endpoint, body, headers)

    def _is_push_service(self, endpoint: str) -> bool:
        try:
            endpoint_origin = origin(endpoint)
        except ValueError:
            return False
        return any(fnmatchcase(endpoint_origin, service) for service in self._settings.services)

    async def _post(self, endpoint: str, body: bytes, headers: Mapping[str, str]) -> None:
        try:
            async with httpx.AsyncClient(
                verify=default_ssl_context(), timeout=self._settings.timeout_seconds
            ) as client:
                response = await client.post(endpoint, content=body, headers=dict(headers))
        except httpx.HTTPError as error:
            raise PushFailed(reason="The push service could not be reached.") from error
        # 400 and 403 also mean that the subscription is unusable: it was created with another key of this server.
        if response.status_code in (400, 403, 404, 410):
            raise SubscriptionGone
        if not response.is_success:
            raise PushFailed(reason=f"The push service answered {response.status_code}.")


def _encode(payload: Mapping[str, str]) -> bytes:
    """Shortens every field if the payload is too long; no one reads that much in a notification."""
    encoded = json.dumps(dict(payload)).encode()
    if len(encoded) <= MAX_MESSAGE_BYTES:
        return encoded
    return json.dumps({key: value[:_SHORTENED_LENGTH] for key, value in payload.items()}).encode()
