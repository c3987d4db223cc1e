"""Makes one attempt of a delivery and records the outcome."""

import asyncio
import logging
import ssl
import time
from datetime import datetime
from uuid import uuid5

import httpx

from cairn.db import SERVICE, Connection, DatabaseBusy, DatabaseUnreachable
from cairn.integrations import delivery_store
from cairn.integrations.delivery_store import Delivery
from cairn.integrations.errors import DeliveryFailed, EndpointGone, WaiverErased
from cairn.integrations.model import has_failed_too_long, probe_delay, retry_delay, signature_header
from cairn.integrations.payload import FormFields, WaiverFields, encode_payload, sample_form, sample_waiver
from cairn.integrations.sender import WebhookSender
from cairn.kit import DecryptionFailed, EndpointNotAllowed, PostResponse, check_endpoint, now, post_to
from cairn.messaging import add_notification

log = logging.getLogger(__name__)

_GONE = 410
# An endpoint that responds within this time is quick. Quick endpoints have separate slots (see delivery_loop.py), so
# they do not wait for slow ones.
_QUICK_SECONDS = 2.0
_PAUSED_TITLES = {"webhook": "Webhook paused: {name}", "zapier": "Zapier hook paused: {name}"}
_PAUSED_MESSAGES = {
    "failing": "All deliveries have failed for days. The last error: {error}",
    "gone": "It answered that it no longer accepts events (410).",
}


async def deliver(sender: WebhookSender, delivery: Delivery) -> None:
    started_at = time.monotonic()
    try:
        response = await _make_attempt(sender, delivery)
    except DeliveryFailed as failure:
        async with sender.database.acting_as(SERVICE) as connection:
            await _record_failure(connection, delivery, failure)
        # The URL and the payload are not logged, because both may contain data that only the company should see.
        outcome = failure.response_status or failure.code
        log.info("attempt %s of delivery %s failed: %s", delivery.attempts, delivery.id, outcome)
        return
    was_quick = time.monotonic() - started_at < _QUICK_SECONDS
    async with sender.database.acting_as(SERVICE) as connection:
        await delivery_store.record_delivered(connection, delivery, response.status, was_quick=was_quick)
    log.info("attempt %s of delivery %s succeeded", delivery.attempts, delivery.id)


async def _make_attempt(sender: WebhookSender, delivery: Delivery) -> PostResponse:
    """Reports an unexpected error as a failed attempt, so that it is recorded and retried like any other."""
    try:
        return await _post(sender, delivery)
    except (DeliveryFailed, DatabaseUnreachable, DatabaseBusy):
        raise
    except Exception as error:
        log.exception("delivery %s failed with an unexpected error", delivery.id)
        raise DeliveryFailed(reason="Something went wrong on our side.") from error


async def _post(sender: WebhookSender, delivery: Delivery) -> PostResponse:
    attempted_at = now()
    body = await _body(sender, delivery)
    headers = _headers(sender, delivery, body, attempted_at)
    seconds = sender.settings.timeout_seconds
    try:
        # The timeout includes the DNS lookup, which can be slow too.
        async with asyncio.timeout(seconds):
            endpoint = await check_endpoint(delivery.url, sender.settings.allowed_networks, sender.resolve)
            response = await post_to(endpoint, body, headers, ssl_context=sender.ssl_context, timeout_seconds=seconds)
    except EndpointNotAllowed as error:
        raise DeliveryFailed(reason=str(error)) from error
    except (httpx.HTTPError, TimeoutError) as error:
        raise DeliveryFailed(reason=_describe_error(error, seconds)) from error
    if not response.is_success:
        raise _failure_for_status(response.status)
    return response


async def _body(sender: WebhookSender, delivery: Delivery) -> bytes:
    async with sender.database.acting_as(SERVICE, read_only=True) as connection:
        waiver, form = await _content(connection, delivery)
    return encode_payload(delivery.kind, delivery.event, delivery.event_id, waiver, form=form, site_url=sender.site_url)


async def _content(connection: Connection, delivery: Delivery) -> tuple[WaiverFields, FormFields | None]:
    if delivery.waiver_id is None:
        has_forms = await delivery_store.has_forms(connection, delivery.company_id)
        return sample_waiver(delivery.company_id, delivery.created_at), sample_form() if has_forms else None
    waiver = await delivery_store.waiver_fields(connection, delivery.waiver_id)
    if waiver is None:
        raise WaiverErased
    form = await delivery_store.form_fields(connection, delivery.waiver_id, with_sensitive=delivery.send_sensitive)
    return waiver, form


def _headers(sender: WebhookSender, delivery: Delivery, body: bytes, attempted_at: datetime) -> dict[str, str]:
    timestamp = int(attempted_at.timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Cairn-Webhooks/1",
        "webhook-id": str(delivery.event_id),
        "webhook-timestamp": str(timestamp),
    }
    secrets = _secrets(sender, delivery, attempted_at)
    if secrets:
        headers["webhook-signature"] = signature_header(secrets, str(delivery.event_id), timestamp, body)
    return headers


def _secrets(sender: WebhookSender, delivery: Delivery, attempted_at: datetime) -> list[str]:
    """Returns the signing secret and, for a day after it was renewed, also the previous one.

    A Zapier hook has no secret, so the list is empty.
    """
    encrypted_secrets = [delivery.sealed_secret]
    if delivery.previous_until is not None and attempted_at < delivery.previous_until:
        encrypted_secrets.append(delivery.sealed_previous)
    try:
        return [sender.secret_box.decrypt(secret) for secret in encrypted_secrets if secret is not None]
    except DecryptionFailed as error:
        raise DeliveryFailed(reason="The signing secret can no longer be read. Please renew it.") from error


def _describe_error(error: Exception, seconds: float) -> str:
    if isinstance(error, (TimeoutError, httpx.TimeoutException)):
        return f"No answer within {seconds:g} seconds."
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return "The certificate of the server could not be verified."
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpx.ConnectError):
        return "The server could not be reached."
    return "The connection was lost."


def _failure_for_status(status: int) -> DeliveryFailed:
    if status == _GONE:
        return EndpointGone(reason="The server answered 410: it no longer accepts events.", response_status=status)
    reason = f"The server answered {status}."
    if 300 <= status < 400:
        reason += " Redirects are not followed."
    return DeliveryFailed(reason=reason, response_status=status)


async def _record_failure(connection: Connection, delivery: Delivery, failure: DeliveryFailed) -> None:
    failed_at = now()
    is_final = isinstance(failure, EndpointGone | WaiverErased)
    delay = None if is_final else retry_delay(delivery.retries_left)
    next_try_at = failed_at + delay if delay else None
    await delivery_store.record_failed_attempt(connection, delivery, failure.response_status, str(failure), next_try_at)
    if delivery.event == "webhook.test" or isinstance(failure, WaiverErased):
        return
    # Until `next_probe_at`, no delivery to this endpoint is tried, unless a user requests it.
    next_probe_at = failed_at + probe_delay(delivery.failing_since, failed_at)
    await delivery_store.record_endpoint_failure(
        connection, delivery.endpoint_id, str(failure), failed_at, next_probe_at
    )
    if isinstance(failure, EndpointGone):
        await _pause(connection, delivery, "gone", str(failure))
    elif has_failed_too_long(delivery.failing_since, failed_at):
        await _pause(connection, delivery, "failing", str(failure))


async def _pause(connection: Connection, delivery: Delivery, cause: str, error: str) -> None:
    """Pauses the endpoint and notifies the company, unless it is paused already."""
    if not await delivery_store.pause(connection, delivery.endpoint_id, cause):
        return
    await add_notification(
        connection,
        company_id=delivery.company_id,
        # The endpoint may be paused again later, and then the company is notified again. So each pause has its own id.
        about=uuid5(delivery.id, f"paused at try {delivery.attempts}"),
        title=_PAUSED_TITLES[delivery.kind].format(name=delivery.name),
        message=_PAUSED_MESSAGES[cause].format(error=error),
        data={"endpoint_id": str(delivery.endpoint_id), "kind": delivery.kind},
    )
