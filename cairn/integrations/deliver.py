"""One try to tell an endpoint, and writing down what became of it."""

import asyncio
import logging
import ssl
from datetime import datetime
from uuid import uuid5

import httpx

from cairn.db import SERVICE, Connection, DatabaseBusy, DatabaseUnreachable
from cairn.integrations import delivery_store, payload
from cairn.integrations.delivery_store import Delivery
from cairn.integrations.errors import DeliveryFailed, EndpointGone
from cairn.integrations.model import is_beyond_hope, pause_before, signatures
from cairn.integrations.sender import WebhookSender
from cairn.kit import DecryptionFailed, EndpointRefused, PostResponse, check_endpoint, now, post_to
from cairn.messaging import add_notification

log = logging.getLogger(__name__)

_GONE = 410
_PAGES = {"webhook": "Webhooks", "zapier": "Zapier"}
_PAUSED_TITLE = "{page} paused: {name}"
_WHY = {
    "failing": "Nothing has arrived there for days. The last answer: {reason}",
    "gone": "It answered that it wants nothing any more (410).",
}


async def deliver(sender: WebhookSender, delivery: Delivery) -> None:
    try:
        answer = await _posted_somehow(sender, delivery)
    except DeliveryFailed as failed:
        async with sender.database.acting_as(SERVICE) as connection:
            await _note_failure(connection, delivery, failed)
        # No address and no words of the payload: both may hold what only the company should know.
        log.info("delivery %s failed at try %s: %s", delivery.id, delivery.attempts, failed.answer or failed.code)
        return
    async with sender.database.acting_as(SERVICE) as connection:
        await delivery_store.note_delivered(connection, delivery, answer.status)
    log.info("delivery %s arrived at try %s", delivery.id, delivery.attempts)


async def _posted_somehow(sender: WebhookSender, delivery: Delivery) -> PostResponse:
    """A mistake of ours is a failure like any other: told, and tried again in the same rhythm."""
    try:
        return await _posted(sender, delivery)
    except (DeliveryFailed, DatabaseUnreachable, DatabaseBusy):
        raise
    except Exception as mistake:
        log.exception("delivery %s stumbled", delivery.id)
        raise DeliveryFailed(reason="Something went wrong on our side.") from mistake


async def _posted(sender: WebhookSender, delivery: Delivery) -> PostResponse:
    moment = now()
    body = await _body(sender, delivery)
    headers = _headers(sender, delivery, int(moment.timestamp()), body, moment)
    seconds = sender.settings.timeout_seconds
    try:
        # Looking the name up counts as well: it is asked of others, too.
        async with asyncio.timeout(seconds):
            endpoint = await check_endpoint(delivery.url, sender.settings.allowed_networks, sender.resolve)
            answer = await post_to(
                endpoint, body, headers, trusting=sender.trusting, step_seconds=seconds, whole_seconds=seconds
            )
    except EndpointRefused as refused:
        raise DeliveryFailed(reason=str(refused)) from refused
    except (httpx.HTTPError, TimeoutError) as lost:
        raise DeliveryFailed(reason=_words(lost, seconds)) from lost
    if not answer.is_success:
        raise _refusal(answer.status)
    return answer


async def _body(sender: WebhookSender, delivery: Delivery) -> bytes:
    if delivery.waiver_id is None:
        facts = payload.sample_waiver(delivery.company_id, delivery.created_at)
    else:
        async with sender.database.acting_as(SERVICE, read_only=True) as connection:
            facts = await delivery_store.waiver_fields(connection, delivery.waiver_id)
    return payload.body(delivery.kind, delivery.event, delivery.event_id, facts, sender.site_url)


def _headers(
    sender: WebhookSender, delivery: Delivery, timestamp: int, body: bytes, moment: datetime
) -> dict[str, str]:
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Cairn-Webhooks/1",
        "webhook-id": str(delivery.event_id),
        "webhook-timestamp": str(timestamp),
    }
    secrets = _secrets(sender, delivery, moment)
    if secrets:
        headers["webhook-signature"] = signatures(secrets, str(delivery.event_id), timestamp, body)
    return headers


def _secrets(sender: WebhookSender, delivery: Delivery, moment: datetime) -> list[str]:
    sealed = [delivery.sealed_secret]
    if delivery.previous_until is not None and moment < delivery.previous_until:
        sealed.append(delivery.sealed_previous)
    try:
        return [sender.secret_box.decrypt(secret) for secret in sealed if secret is not None]
    except DecryptionFailed as broken:
        raise DeliveryFailed(reason="The signing secret can no longer be read. Please renew it.") from broken


def _words(lost: Exception, seconds: float) -> str:
    if isinstance(lost, (TimeoutError, httpx.TimeoutException)):
        return f"No answer within {seconds:g} seconds."
    cause: BaseException | None = lost
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return "The certificate of the server could not be verified."
        cause = cause.__cause__ or cause.__context__
    if isinstance(lost, httpx.ConnectError):
        return "The server could not be reached."
    return "The connection broke off."


def _refusal(status: int) -> DeliveryFailed:
    if status == _GONE:
        return EndpointGone(reason="The server answered 410: it wants nothing any more.", answer=status)
    if 300 <= status < 400:
        return DeliveryFailed(reason=f"The server answered {status}. Redirects are not followed.", answer=status)
    return DeliveryFailed(reason=f"The server answered {status}.", answer=status)


async def _note_failure(connection: Connection, delivery: Delivery, failed: DeliveryFailed) -> None:
    moment = now()
    wait = None if isinstance(failed, EndpointGone) else pause_before(delivery.retries_left)
    await delivery_store.note_failed(connection, delivery, failed.answer, str(failed), moment + wait if wait else None)
    if delivery.event == "webhook.test":
        return
    await delivery_store.note_failing(connection, delivery.endpoint_id, str(failed))
    if isinstance(failed, EndpointGone):
        await _pause(connection, delivery, "gone", str(failed))
    elif wait is None and is_beyond_hope(delivery.failing_since, moment):
        await _pause(connection, delivery, "failing", str(failed))


async def _pause(connection: Connection, delivery: Delivery, because: str, reason: str) -> None:
    if not await delivery_store.pause(connection, delivery.endpoint_id, because):
        return
    await add_notification(
        connection,
        company_id=delivery.company_id,
        about=uuid5(delivery.id, f"paused at try {delivery.attempts}"),
        title=_PAUSED_TITLE.format(page=_PAGES[delivery.kind], name=delivery.name),
        message=_WHY[because].format(reason=reason),
        data={"endpoint_id": str(delivery.endpoint_id), "kind": delivery.kind},
    )
