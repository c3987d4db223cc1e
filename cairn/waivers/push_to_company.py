"""Sends a web push to the browsers of a company when a waiver was signed."""

from uuid import UUID

from cairn.accounts import company_push_subscriptions, delete_push_subscription
from cairn.db import SERVICE, Database
from cairn.messaging import PushFailed, PushSender, SubscriptionGone
from cairn.waivers import store
from cairn.waivers.notify_company import TITLE, notification_message


async def push_to_company(database: Database, push_sender: PushSender, waiver_id: UUID) -> None:
    """Raises PushFailed if a browser could not be reached. Safe to retry: a repeated push replaces the notification."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        waiver = await store.signed_waiver(connection, waiver_id)
        subscriptions = await company_push_subscriptions(connection, waiver.company_id) if waiver.company_id else []
    payload = {
        "title": TITLE,
        "message": notification_message(waiver),
        "link": f"/dashboard/waiver-management?waiver={waiver.session_id}",
        "about": str(waiver.id),
    }
    last_failure: PushFailed | None = None
    for subscription in subscriptions:
        try:
            await push_sender.send(subscription, waiver.id, payload)
        except SubscriptionGone:
            async with database.acting_as(SERVICE) as connection:
                await delete_push_subscription(connection, subscription.endpoint)
        except PushFailed as failure:
            last_failure = failure
    if last_failure is not None:
        raise last_failure
