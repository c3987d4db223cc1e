"""Registers an endpoint of a company, changes it, or renews its secret."""

import secrets
from dataclasses import field
from datetime import timedelta
from urllib.parse import urlsplit
from uuid import UUID

from cairn.db import SERVICE
from cairn.integrations import endpoint_store
from cairn.integrations.errors import EndpointInvalid, EndpointNotFound, TooManyEndpoints, TooOften
from cairn.integrations.model import MAX_ENDPOINTS, Kind, format_secret
from cairn.integrations.sender import WebhookSender
from cairn.kit import EndpointNotAllowed, check_entered_endpoint, frozen_dataclass
from cairn.limits import Limit, take_now

_SECRET_BYTES = 32
_MAX_NAME_LENGTH = 80
# Each check looks a name up in DNS.
_MAX_CHECKS_PER_HOUR = 30


@frozen_dataclass
class EndpointWithSecret:
    """The secret is in plain text and is returned only this once. An endpoint of Zapier has none."""

    id: UUID
    secret: str | None = field(repr=False)


async def register_endpoint(
    sender: WebhookSender, company_id: UUID, kind: Kind, name: str, url: str, *, send_sensitive: bool = False
) -> EndpointWithSecret:
    await _check_url(sender, company_id, kind, url)
    secret = _new_secret() if kind == "webhook" else None
    async with sender.database.acting_as(SERVICE) as connection:
        if await endpoint_store.lock_and_count_endpoints(connection, company_id) >= MAX_ENDPOINTS:
            raise TooManyEndpoints(limit=MAX_ENDPOINTS)
        if await endpoint_store.has_url(connection, company_id, url):
            raise _already_connected()
        endpoint_id = await endpoint_store.add_endpoint(
            connection, company_id, kind=kind, name=_name_or_host(name, url), url=url,
            encrypted_secret=secret and sender.secret_box.encrypt(secret), send_sensitive=send_sensitive,
        )  # fmt: skip
    return EndpointWithSecret(endpoint_id, secret)


async def change_endpoint(
    sender: WebhookSender,
    company_id: UUID,
    endpoint_id: UUID,
    name: str,
    url: str,
    *,
    send_sensitive: bool | None = None,
) -> None:
    """Changes the name, the URL and, unless `send_sensitive` is None, whether sensitive answers are sent."""
    async with sender.database.acting_as(SERVICE, read_only=True) as connection:
        endpoint = await endpoint_store.find_endpoint(connection, endpoint_id, company_id)
    if endpoint is None:
        raise EndpointNotFound
    if url != endpoint.url:
        await _check_url(sender, company_id, endpoint.kind, url)
    async with sender.database.acting_as(SERVICE) as connection:
        await endpoint_store.lock_and_count_endpoints(connection, company_id)
        if await endpoint_store.has_url(connection, company_id, url, except_for=endpoint_id):
            raise _already_connected()
        await endpoint_store.change_endpoint(
            connection, endpoint_id, _name_or_host(name, url), url, send_sensitive=send_sensitive
        )


async def renew_secret(sender: WebhookSender, company_id: UUID, endpoint_id: UUID) -> EndpointWithSecret:
    secret = _new_secret()
    async with sender.database.acting_as(SERVICE) as connection:
        endpoint = await endpoint_store.find_endpoint(connection, endpoint_id, company_id)
        if endpoint is None or endpoint.kind == "zapier":
            raise EndpointNotFound
        await endpoint_store.replace_secret(connection, endpoint_id, sender.secret_box.encrypt(secret))
    return EndpointWithSecret(endpoint_id, secret)


async def _check_url(sender: WebhookSender, company_id: UUID, kind: Kind, url: str) -> None:
    """Reports an unusable URL when it is entered.

    The URL is checked again before every delivery, because DNS may have changed since then.
    """
    prefix = f"{sender.settings.zapier_url.rstrip('/')}/hooks/catch/"
    if kind == "zapier" and not (url.startswith(prefix) and len(url) > len(prefix)):
        raise EndpointInvalid(field="url", reason=f"The address of a Zapier hook starts with {prefix}")
    checks = Limit(f"webhook addresses of company {company_id}", _MAX_CHECKS_PER_HOUR, timedelta(hours=1))
    if await take_now(sender.database, checks) is not None:
        raise TooOften(
            reason=f"You have entered {_MAX_CHECKS_PER_HOUR} addresses within an hour. Please wait a little."
        )
    try:
        await check_entered_endpoint(url, sender.settings.allowed_networks, sender.resolve)
    except EndpointNotAllowed as refused:
        raise EndpointInvalid(field="url", reason=str(refused)) from refused


def _already_connected() -> EndpointInvalid:
    return EndpointInvalid(field="url", reason="This address is connected already.")


def _name_or_host(name: str, url: str) -> str:
    return (name or urlsplit(url).hostname or url)[:_MAX_NAME_LENGTH]


def _new_secret() -> str:
    return format_secret(secrets.token_bytes(_SECRET_BYTES))
