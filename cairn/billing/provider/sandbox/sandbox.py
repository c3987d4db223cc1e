"""The sandbox as a payment provider: it reports payments in signed events, as a real one does."""

import asyncio
import base64
import hmac
import json
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError

from cairn.billing.confirm import confirm
from cairn.billing.errors import EventUnreadable, SignatureInvalid
from cairn.billing.model import (
    PLAN_BY_PRICE,
    PLAN_TITLES,
    Buyer,
    Checkout,
    Event,
    InvoiceState,
    Paid,
    Payer,
    PaymentMethod,
    Status,
    SubscriptionState,
)
from cairn.billing.provider.sandbox import store
from cairn.billing.provider.sandbox.card import Card
from cairn.billing.signature import check, sign
from cairn.billing.store import customers_of
from cairn.db import SERVICE, Database
from cairn.kit import now as clock

# The customer of `cairn demo`. Its cards load as slowly as those of a remote provider.
SAMPLE = "sandbox_sample_"
_SAMPLE_DELAY_SECONDS = 1.0
_PORTAL_OPEN = timedelta(minutes=15)
_EVENTS = TypeAdapter(Event)


class Sandbox:
    name = "sandbox"

    def __init__(self, database: Database, secret: str) -> None:
        self.database = database
        self._secret = hmac.new(secret.encode(), b"sandbox payments", sha256).hexdigest()

    async def add_customer(self, payer: Payer) -> str:
        return f"sandbox_{payer.owner}"

    async def open_checkout(self, checkout: Checkout, buyer: Buyer) -> str:  # noqa: ARG002 - part of the interface
        return f"/billing/sandbox/{checkout.id}"

    async def payment_methods(self, customer: str) -> list[PaymentMethod]:
        if customer.startswith(SAMPLE):
            await asyncio.sleep(_SAMPLE_DELAY_SECONDS)
        async with self.database.acting_as(SERVICE, read_only=True) as connection:
            cards = await store.cards(connection, customer)
        return [
            PaymentMethod(card_id, card.brand, card.last4, card.exp_month, card.exp_year, is_default=place == 0)
            for place, (card_id, card) in enumerate(cards)
        ]

    async def open_portal(self, customer: str, back: str) -> str:
        until = int((clock() + _PORTAL_OPEN).timestamp())
        payload = base64.urlsafe_b64encode(json.dumps([customer, back, until]).encode()).rstrip(b"=").decode()
        return f"/billing/sandbox/manage/{payload}.{self._signature(payload)}"

    def portal(self, token: str, now: datetime) -> tuple[str, str]:
        """The customer, and the path to return to."""
        payload, _, signature = token.partition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(payload).encode()):
            raise SignatureInvalid
        customer, back, until = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        if now.timestamp() > until:
            raise SignatureInvalid
        return customer, back

    async def cancel(self, subscription: str) -> None:
        async with self.database.acting_as(SERVICE, read_only=True) as connection:
            running = await store.running_as(connection, subscription)
        if running is not None:
            await self._send_event(clock(), _state(running, "ended"), event_id=f"evt_end_{subscription}")

    def read_event(self, body: bytes, signature: str, now: datetime) -> Event:
        check(body, signature, self._secret, now)
        try:
            return _EVENTS.validate_json(body)
        except ValidationError as unreadable:
            raise EventUnreadable from unreadable

    async def pay(self, checkout: Checkout, card: Card, email: str | None, now: datetime) -> None:
        """Idempotent: the event has the id of the checkout, so pressing the button twice pays once."""
        customer = await self._customer(checkout)
        async with self.database.acting_as(SERVICE) as connection:
            await store.keep_card(connection, customer, card)
        reference = f"sub_sandbox_{checkout.id}" if checkout.plan else None
        paid = Paid(checkout.id, customer, email, checkout.amount_cents, reference, one_month_after(now))
        description = f"{checkout.description} (sandbox, not charged)"
        invoice = InvoiceState(customer, f"in_sandbox_{checkout.id}", description, checkout.amount_cents, True, now)
        await self._send_event(now, paid, invoice, event_id=f"evt_{checkout.id}")

    async def end_at_renewal(self, customer: str, *, ending: bool, now: datetime) -> store.Running | None:
        async with self.database.acting_as(SERVICE, read_only=True) as connection:
            running = await store.running(connection, customer)
        if running is None:
            return None
        changed = replace(running, is_ending=ending)
        await self._send_event(now, _state(changed, "active"), event_id=f"evt_{uuid4()}")
        return changed

    async def renew(self, now: datetime) -> None:
        """Renews or ends what is due. Two workers produce the same event id, so each event is applied once."""
        async with self.database.acting_as(SERVICE, read_only=True) as connection:
            due = await store.due(connection, now)
        for running in due:
            event_id = f"evt_renewal_{running.reference}_{running.renews_at:%Y%m%d}"
            if running.is_ending:
                await self._send_event(now, _state(running, "ended"), event_id=event_id)
                continue
            later = replace(running, renews_at=one_month_after(running.renews_at))
            await self._send_event(now, _state(later, "active"), _monthly_invoice(running), event_id=event_id)

    async def _customer(self, checkout: Checkout) -> str:
        owner = checkout.company_id or checkout.user_id
        if owner is None:
            return f"sandbox_visitor_{checkout.id}"
        async with self.database.acting_as(SERVICE, read_only=True) as connection:
            known = await customers_of(connection, owner, self.name)
        return known[0] if known else f"sandbox_{owner}"

    async def _send_event(self, at: datetime, *parts: Paid | SubscriptionState | InvoiceState, event_id: str) -> None:
        body = _EVENTS.dump_json(Event(self.name, event_id, at, parts))
        signed_at = clock()
        await confirm(self.database, self.read_event(body, sign(body, self._secret, signed_at), signed_at))

    def _signature(self, payload: str) -> str:
        return hmac.new(self._secret.encode(), b"portal " + payload.encode(), sha256).hexdigest()


def one_month_after(moment: datetime) -> datetime:
    """The same day of the next month, or its last day if it is shorter."""
    year, month = divmod(moment.year * 12 + moment.month, 12)
    for day in range(moment.day, 27, -1):
        try:
            return moment.replace(year=year, month=month + 1, day=day)
        except ValueError:
            continue
    return moment.replace(year=year, month=month + 1)


def _state(running: store.Running, status: Status) -> SubscriptionState:
    return SubscriptionState(
        running.customer, running.reference, running.plan, status, running.renews_at, running.is_ending
    )


def _monthly_invoice(running: store.Running) -> InvoiceState:
    cents = next(cents for cents, plan in PLAN_BY_PRICE.items() if plan == running.plan)
    reference = f"in_{running.reference}_{running.renews_at:%Y%m%d}"
    description = f"{PLAN_TITLES[running.plan]} Plan Subscription (sandbox, not charged)"
    return InvoiceState(running.customer, reference, description, cents, True, running.renews_at)
