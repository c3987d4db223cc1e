"""What Stripe tells, read into our own words.

The shape of an event is that of the version its endpoint was set up with, so fields that have moved since are looked
for in both places.
"""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from cairn.billing.errors import EventUnreadable
from cairn.billing.model import PRICES, Event, Fact, InvoiceTold, Paid, Status, SubscriptionTold

_STATUSES: dict[str, Status] = {
    "active": "active",
    "trialing": "active",
    "past_due": "past_due",
    "unpaid": "paused",
    "paused": "paused",
    "canceled": "ended",
    "incomplete_expired": "ended",
}


def read_event(body: bytes) -> Event:
    try:
        told = json.loads(body)
        facts = _facts(told["type"], told["data"]["object"])
        return Event("stripe", told["id"], _moment(told["created"]), facts)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as unreadable:
        raise EventUnreadable from unreadable


def _facts(kind: str, told: dict[str, Any]) -> tuple[Fact, ...]:
    match kind:
        case "checkout.session.completed" | "checkout.session.async_payment_succeeded":
            fact: Fact | None = _paid(told)
        case "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.deleted":
            fact = _subscription(told)
        case "invoice.paid" | "invoice.payment_failed":
            fact = _invoice(told, is_paid=kind == "invoice.paid")
        case _:
            fact = None
    return () if fact is None else (fact,)


def _paid(session: dict[str, Any]) -> Paid | None:
    """A way of paying that takes days is completed before it is paid."""
    checkout_id = _uuid(session.get("client_reference_id"))
    if session["payment_status"] != "paid" or session["currency"] != "usd" or checkout_id is None:
        return None
    email = (session.get("customer_details") or {}).get("email") or session.get("customer_email")
    return Paid(checkout_id, session["customer"], email, session["amount_total"], session.get("subscription"))


def _subscription(told: dict[str, Any]) -> SubscriptionTold | None:
    """None for one that was never paid, and for one that is not of our plans."""
    item = told["items"]["data"][0]
    status = _STATUSES.get(told["status"])
    plan = PRICES.get(item["price"]["unit_amount"])
    if status is None or plan is None:
        return None
    until = told.get("current_period_end") or item.get("current_period_end")
    is_ending = bool(told.get("cancel_at_period_end") or told.get("cancel_at"))
    return SubscriptionTold(told["customer"], told["id"], plan, status, until and _moment(until), is_ending)


def _invoice(told: dict[str, Any], *, is_paid: bool) -> InvoiceTold | None:
    """One over nothing, as a change of plan may leave, is nobody's business."""
    amount = told["amount_paid"] if is_paid else told["amount_due"]
    if not amount or not told.get("customer"):
        return None
    lines = (told.get("lines") or {}).get("data") or [{}]
    words = str(told.get("description") or lines[-1].get("description") or "Invoice")[:500]
    url = told.get("hosted_invoice_url")
    return InvoiceTold(told["customer"], told["id"], words, amount, is_paid, _moment(told["created"]), url)


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _uuid(text: Any) -> UUID | None:
    try:
        return UUID(text)
    except (TypeError, ValueError):
        return None
