"""A company names an address, changes it, or wants another secret for it."""

import secrets
from dataclasses import dataclass, field
from urllib.parse import urlsplit
from uuid import UUID

from cairn.db import SERVICE
from cairn.integrations.webhooks import endpoint_store
from cairn.integrations.webhooks.errors import TooManyWebhooks, WebhookInvalid, WebhookNotFound
from cairn.integrations.webhooks.model import MOST_ENDPOINTS, Kind, written_secret
from cairn.integrations.webhooks.sender import WebhookSender
from cairn.kit import EndpointRefused, check_endpoint

_SECRET_BYTES = 32
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Registered:
    """The secret is told here and never again."""

    id: UUID
    secret: str | None = field(repr=False)


async def register(webhook_sender: WebhookSender, company_id: UUID, kind: Kind, name: str, url: str) -> Registered:
    await _check(webhook_sender, kind, url)
    secret = _new_secret() if kind == "webhook" else None
    async with webhook_sender.database.acting_as(SERVICE) as connection:
        if await endpoint_store.lock_endpoints(connection, company_id) >= MOST_ENDPOINTS:
            raise TooManyWebhooks(limit=MOST_ENDPOINTS)
        if await endpoint_store.has_url(connection, company_id, url):
            raise _taken()
        added = await endpoint_store.add_endpoint(
            connection, company_id, kind=kind, name=_named(name, url), url=url,
            sealed_secret=secret and webhook_sender.secret_box.encrypt(secret),
        )  # fmt: skip
    return Registered(added, secret)


async def change(webhook_sender: WebhookSender, company_id: UUID, endpoint_id: UUID, name: str, url: str) -> None:
    """Its secret stays."""
    async with webhook_sender.database.acting_as(SERVICE, read_only=True) as connection:
        kept = await endpoint_store.kept_endpoint(connection, endpoint_id, company_id)
    if kept is None:
        raise WebhookNotFound
    if url != kept.url:
        await _check(webhook_sender, kept.kind, url)
    async with webhook_sender.database.acting_as(SERVICE) as connection:
        await endpoint_store.lock_endpoints(connection, company_id)
        if await endpoint_store.has_url(connection, company_id, url, besides=endpoint_id):
            raise _taken()
        await endpoint_store.change_endpoint(connection, endpoint_id, _named(name, url), url)


async def renew_secret(webhook_sender: WebhookSender, company_id: UUID, endpoint_id: UUID) -> Registered:
    secret = _new_secret()
    async with webhook_sender.database.acting_as(SERVICE) as connection:
        kept = await endpoint_store.kept_endpoint(connection, endpoint_id, company_id)
        if kept is None or kept.kind == "zapier":
            raise WebhookNotFound
        await endpoint_store.replace_secret(connection, endpoint_id, webhook_sender.secret_box.encrypt(secret))
    return Registered(endpoint_id, secret)


async def _check(webhook_sender: WebhookSender, kind: Kind, url: str) -> None:
    """Asked here to tell at once what is wrong, and again at each call, because a name can lead elsewhere by then."""
    hooks = f"{webhook_sender.settings.zapier_url.rstrip('/')}/hooks/catch/"
    if kind == "zapier" and not (url.startswith(hooks) and len(url) > len(hooks)):
        raise WebhookInvalid(field="url", reason=f"The address of a Zapier hook starts with {hooks}")
    try:
        await check_endpoint(url, webhook_sender.settings.allowed_networks, webhook_sender.resolve)
    except EndpointRefused as refused:
        raise WebhookInvalid(field="url", reason=str(refused)) from refused


def _taken() -> WebhookInvalid:
    return WebhookInvalid(field="url", reason="This address is connected already.")


def _named(name: str, url: str) -> str:
    return (name or urlsplit(url).hostname or url)[:_LONGEST_NAME]


def _new_secret() -> str:
    return written_secret(secrets.token_bytes(_SECRET_BYTES))
