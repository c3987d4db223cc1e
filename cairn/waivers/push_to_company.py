"""Sends a web push to the browsers of a company when a waiver was signed."""

from uuid import UUID

from cairn.accounts import company_push_subscriptions, delete_push_subscription
from cairn.db import SERVICE, Connection, Database
from cairn.limits import Limit, give_back, take
from cairn.messaging import PushFailed, PushSender, SubscriptionGone
from cairn.translations import text
from cairn.waivers import store
from cairn.waivers.notify_company import (
    HOUR,
    MAX_PER_HOUR,
    SUMMARY_TITLE,
    TITLE,
    notification_message,
    with_neutral_name,
)
from cairn.waivers.store import SignedWaiver

_SUMMARY = text("Many waivers were signed within a short time. See them all in Waiver Management.")


async def push_to_company(database: Database, push_sender: PushSender, waiver_id: UUID) -> None:
    """Raises PushFailed if a browser could not be reached. Safe to retry: a repeated push replaces the notification."""
    async with database.acting_as(SERVICE) as connection:
        waiver = await store.signed_waiver(connection, waiver_id)
        subscriptions = await company_push_subscriptions(connection, waiver.company_id) if waiver.company_id else []
        payload = await _next_payload(connection, waiver) if subscriptions else None
    if payload is None:
        return
    last_failure: PushFailed | None = None
    for subscription in subscriptions:
        try:
            await push_sender.send(subscription, UUID(payload["about"]), payload)
        except SubscriptionGone:
            async with database.acting_as(SERVICE) as connection:
                await delete_push_subscription(connection, subscription.endpoint)
        except PushFailed as failure:
            last_failure = failure
    if last_failure is not None:
        # The job is tried again, and all tries together count once.
        async with database.acting_as(SERVICE) as connection:
            await give_back(connection, _push_limit(waiver))
        raise last_failure


async def _next_payload(connection: Connection, waiver: SignedWaiver) -> dict[str, str] | None:
    """Returns the push about the waiver. After too many of these, returns one summary an hour, and otherwise None."""
    if await take(connection, _push_limit(waiver)) is None:
        return {
            "title": str(TITLE),
            "message": notification_message(with_neutral_name(waiver)),
            "link": f"/dashboard/waiver-management/{waiver.session_id}",
            "about": str(waiver.id),
        }
    if await take(connection, Limit(f"summaries by push of {waiver.company_id}", 1, HOUR)) is None:
        return {
            "title": str(SUMMARY_TITLE),
            "message": str(_SUMMARY),
            "link": "/dashboard/waiver-management",
            "about": str(waiver.company_id),
        }
    return None


def _push_limit(waiver: SignedWaiver) -> Limit:
    return Limit(f"pushes about signatures of {waiver.company_id}", MAX_PER_HOUR, HOUR)
