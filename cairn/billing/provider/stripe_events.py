"""Parses Stripe's events.

The format of an event depends on the API version with which the webhook endpoint was created at Stripe. Fields that
moved between versions are therefore read from both places.
"""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from cairn.billing.errors import EventUnreadable
from cairn.billing.model import (
    PLAN_BY_PRICE,
    CheckoutPaid,
    Event,
    EventPart,
    InvoiceState,
    SubscriptionState,
    SubscriptionStatus,
)

_STATUSES: dict[str, SubscriptionStatus] = {
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
        payload = json.loads(body)
        parts = _parts(payload["type"], payload["data"]["object"])
        return Event("stripe", payload["id"], _datetime(payload["created"]), parts)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise EventUnreadable from error


def _parts(kind: str, payload: dict[str, Any]) -> tuple[EventPart, ...]:
    match kind:
        case "checkout.session.completed" | "checkout.session.async_payment_succeeded":
            part: EventPart | None = _checkout_paid(payload)
        case "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.deleted":
            part = _subscription(payload)
        case "invoice.paid" | "invoice.payment_failed":
            part = _invoice(payload, is_paid=kind == "invoice.paid")
        case _:
            part = None
    return () if part is None else (part,)


def _checkout_paid(session: dict[str, Any]) -> CheckoutPaid | None:
    """Returns None if the session is not paid yet, or is not for one of our checkouts.

    With slow payment methods, a session is completed days before it is paid.
    """
    checkout_id = _uuid(session.get("client_reference_id"))
    if session["payment_status"] != "paid" or session["currency"] != "usd" or checkout_id is None:
        return None
    email = (session.get("customer_details") or {}).get("email") or session.get("customer_email")
    return CheckoutPaid(checkout_id, session["customer"], email, session["amount_total"], session.get("subscription"))


def _subscription(payload: dict[str, Any]) -> SubscriptionState | None:
    """Returns None if the subscription was never paid or is not one of our plans."""
    item = payload["items"]["data"][0]
    status = _STATUSES.get(payload["status"])
    plan = PLAN_BY_PRICE.get(item["price"]["unit_amount"])
    if status is None or plan is None:
        return None
    period_end = payload.get("current_period_end") or item.get("current_period_end")
    is_ending = bool(payload.get("cancel_at_period_end") or payload.get("cancel_at"))
    renews_at = _datetime(period_end) if period_end else None
    return SubscriptionState(payload["customer"], payload["id"], plan, status, renews_at, is_ending)


def _invoice(payload: dict[str, Any], *, is_paid: bool) -> InvoiceState | None:
    """Returns None for an invoice with nothing to pay, which a change of plan may create."""
    amount = payload["amount_paid"] if is_paid else payload["amount_due"]
    if not amount or not payload.get("customer"):
        return None
    lines = (payload.get("lines") or {}).get("data") or [{}]
    description = str(payload.get("description") or lines[-1].get("description") or "Invoice")[:500]
    url = payload.get("hosted_invoice_url")
    return InvoiceState(
        payload["customer"], payload["id"], description, amount, is_paid, _datetime(payload["created"]), url
    )


def _datetime(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _uuid(text: Any) -> UUID | None:
    try:
        return UUID(text)
    except (TypeError, ValueError):
        return None
