"""Implements the sandbox as a payment provider. It reports payments in signed events, like a real provider."""

import asyncio
import base64
import hmac
import json
from calendar import monthrange
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
    BillingUser,
    Checkout,
    CheckoutPaid,
    Event,
    EventPart,
    InvoiceState,
    PaymentMethod,
    SubscriptionState,
    SubscriptionStatus,
)
from cairn.billing.provider.sandbox import store
from cairn.billing.provider.sandbox.card import Card
from cairn.billing.signature import check_signature, sign
from cairn.billing.store import customers_of
from cairn.db import SERVICE, Database
from cairn.kit import now as clock

# The customer of `cairn demo` has this prefix. Its cards load as slowly as those of a remote provider.
SAMPLE_CUSTOMER_PREFIX = "sandbox_sample_"
_SAMPLE_DELAY_SECONDS = 1.0
_PORTAL_LIFETIME = timedelta(minutes=15)
_EVENT_ADAPTER = TypeAdapter(Event)


class Sandbox:
    name = "sandbox"

    def __init__(self, database: Database, secret: str) -> None:
        self.database = database
        self._secret = hmac.new(secret.encode(), b"sandbox payments", sha256).hexdigest()

    async def add_customer(self, user: BillingUser) -> str:
        return f"sandbox_{user.owner_id}"

    async def open_checkout(self, checkout: Checkout, customer: str | None) -> str:  # noqa: ARG002 - part of the interface
        return f"/billing/sandbox/{checkout.id}"

    async def payment_methods(self, customer: str) -> list[PaymentMethod]:
        if customer.startswith(SAMPLE_CUSTOMER_PREFIX):
            await asyncio.sleep(_SAMPLE_DELAY_SECONDS)
        async with self.database.acting_as(SERVICE, read_only=True) as connection:
            cards = await store.cards(connection, customer)
        return [
            PaymentMethod(card_id, card.brand, card.last4, card.exp_month, card.exp_year, is_default=index == 0)
            for index, (card_id, card) in enumerate(cards)
        ]

    async def open_portal(self, customer: str, return_path: str) -> str:
        expires_at = int((clock() + _PORTAL_LIFETIME).timestamp())
        payload = (
            base64.urlsafe_b64encode(json.dumps([customer, return_path, expires_at]).encode()).rstrip(b"=").decode()
        )
        return f"/billing/sandbox/manage/{payload}.{self._signature(payload)}"

    def read_portal_token(self, token: str, now: datetime) -> tuple[str, str]:
        """Returns the customer and the path of the page to return to."""
        payload, _, signature = token.partition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(payload).encode()):
            raise SignatureInvalid
        customer, return_path, expires_at = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        if now.timestamp() > expires_at:
            raise SignatureInvalid
        return customer, return_path

    async def cancel(self, subscription: str) -> None:
        async with self.database.acting_as(SERVICE, read_only=True) as connection:
            running = await store.subscription_by_reference(connection, subscription)
        if running is not None:
            await self._send_event(clock(), _subscription_state(running, "ended"), event_id=f"evt_end_{subscription}")

    def read_event(self, body: bytes, signature: str, now: datetime) -> Event:
        check_signature(body, signature, self._secret, now)
        try:
            return _EVENT_ADAPTER.validate_json(body)
        except ValidationError as error:
            raise EventUnreadable from error

    async def pay(self, checkout: Checkout, card: Card, email: str | None, now: datetime) -> None:
        """Pays once even if it is called twice, because the id of the event is derived from the checkout."""
        customer = await self._customer(checkout)
        async with self.database.acting_as(SERVICE) as connection:
            await store.save_card(connection, customer, card)
        subscription = f"sub_sandbox_{checkout.id}" if checkout.plan else None
        paid = CheckoutPaid(checkout.id, customer, email, checkout.amount_cents, subscription, one_month_after(now))
        description = f"{checkout.description} (sandbox, not charged)"
        invoice = InvoiceState(customer, f"in_sandbox_{checkout.id}", description, checkout.amount_cents, True, now)
        await self._send_event(now, paid, invoice, event_id=f"evt_{checkout.id}")

    async def end_at_renewal(self, customer: str, *, ending: bool, now: datetime) -> None:
        """Ends the subscription at its next renewal, or keeps it if `ending` is False."""
        async with self.database.acting_as(SERVICE, read_only=True) as connection:
            running = await store.running_subscription(connection, customer)
        await self._set_ending(running, ending=ending, now=now)

    async def stop_renewal(self, subscription: str) -> None:
        async with self.database.acting_as(SERVICE, read_only=True) as connection:
            running = await store.subscription_by_reference(connection, subscription)
        await self._set_ending(running, ending=True, now=clock())

    async def _set_ending(self, running: store.SandboxSubscription | None, *, ending: bool, now: datetime) -> None:
        if running is None:
            return
        changed = replace(running, is_ending=ending)
        await self._send_event(now, _subscription_state(changed, "active"), event_id=f"evt_{uuid4()}")

    async def renew(self, now: datetime) -> None:
        """Renews or ends every subscription that is due.

        Two workers that run this at the same time produce the same event ids, so each event is applied once.
        """
        async with self.database.acting_as(SERVICE, read_only=True) as connection:
            due = await store.due_subscriptions(connection, now)
        for running in due:
            event_id = f"evt_renewal_{running.reference}_{running.renews_at:%Y%m%d}"
            if running.is_ending:
                await self._send_event(now, _subscription_state(running, "ended"), event_id=event_id)
                continue
            renewed = replace(running, renews_at=one_month_after(running.renews_at))
            invoice = _monthly_invoice(running)
            await self._send_event(now, _subscription_state(renewed, "active"), invoice, event_id=event_id)

    async def _customer(self, checkout: Checkout) -> str:
        owner_id = checkout.company_id or checkout.user_id
        if owner_id is None:
            return f"sandbox_visitor_{checkout.id}"
        async with self.database.acting_as(SERVICE, read_only=True) as connection:
            customers = await customers_of(connection, owner_id, self.name)
        return customers[0] if customers else f"sandbox_{owner_id}"

    async def _send_event(self, at: datetime, *parts: EventPart, event_id: str) -> None:
        body = _EVENT_ADAPTER.dump_json(Event(self.name, event_id, at, parts))
        signed_at = clock()
        await confirm(self.database, self.read_event(body, sign(body, self._secret, signed_at), signed_at))

    def _signature(self, payload: str) -> str:
        return hmac.new(self._secret.encode(), b"portal " + payload.encode(), sha256).hexdigest()


def one_month_after(moment: datetime) -> datetime:
    """Returns the same day of the next month, or the last day of that month if it is shorter."""
    year, month = (moment.year + 1, 1) if moment.month == 12 else (moment.year, moment.month + 1)
    last_day = monthrange(year, month)[1]
    return moment.replace(year=year, month=month, day=min(moment.day, last_day))


def _subscription_state(running: store.SandboxSubscription, status: SubscriptionStatus) -> SubscriptionState:
    return SubscriptionState(
        running.customer, running.reference, running.plan, status, running.renews_at, running.is_ending
    )


def _monthly_invoice(running: store.SandboxSubscription) -> InvoiceState:
    cents = next(cents for cents, plan in PLAN_BY_PRICE.items() if plan == running.plan)
    reference = f"in_{running.reference}_{running.renews_at:%Y%m%d}"
    description = f"{PLAN_TITLES[running.plan]} Plan Subscription (sandbox, not charged)"
    return InvoiceState(running.customer, reference, description, cents, True, running.renews_at)
