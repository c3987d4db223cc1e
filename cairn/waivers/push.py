"""Telling the browsers of a company that a waiver was signed."""

from uuid import UUID

from cairn.accounts import forget_browser, told_by_push
from cairn.db import SERVICE, Database
from cairn.messaging import Pusher, PushFailed, SubscriptionGone
from cairn.waivers import store
from cairn.waivers.tell import TITLE, message


async def push_to_company(database: Database, pusher: Pusher, waiver_id: UUID) -> None:
    """Fails when one browser could not be reached; those that were told once more then only replace what they show."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        waiver = await store.signed_waiver(connection, waiver_id)
        browsers = await told_by_push(connection, waiver.company_id) if waiver.company_id else []
    words = {
        "title": TITLE,
        "message": message(waiver),
        "link": f"/dashboard/waiver-management?waiver={waiver.session_id}",
        "about": str(waiver.id),
    }
    failed: PushFailed | None = None
    for browser in browsers:
        try:
            await pusher.send(browser, waiver.id, words)
        except SubscriptionGone:
            async with database.acting_as(SERVICE) as connection:
                await forget_browser(connection, browser.endpoint)
        except PushFailed as failure:
            failed = failure
    if failed is not None:
        raise failed
