"""Stripe, over its documented HTTP interface: forms go in, JSON comes out, and a key makes a repeated call one."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any
from urllib.parse import quote

import httpx

from cairn.billing.errors import ProviderFailed
from cairn.billing.model import Buyer, Checkout, Event, Payer, PaymentMethod
from cairn.billing.provider.stripe_events import read_event
from cairn.billing.settings import StripeSettings
from cairn.billing.signature import check

# The shapes below are of this version; what Stripe changes later does not reach us.
VERSION = "2024-06-20"


class Stripe:
    name = "stripe"

    def __init__(self, settings: StripeSettings, site_url: str) -> None:
        assert settings.secret_key is not None, "asked for without its settings"
        assert settings.webhook_secret is not None, "asked for without its settings"
        self._key = settings.secret_key
        self._webhook_secret = settings.webhook_secret
        self._url = settings.url.rstrip("/")
        self._timeout = settings.timeout_seconds
        self._site = site_url.rstrip("/")

    async def add_customer(self, payer: Payer) -> str:
        form = {"email": payer.email, "name": payer.name[:250], "metadata": {"owner": str(payer.owner)}}
        # The same words under the same key are one customer; Stripe refuses other words under it.
        words = sha256(repr(form).encode()).hexdigest()[:16]
        told = await self._ask("POST", "/v1/customers", form, once=f"customer-{payer.owner}-{words}")
        return _text(told, "id")

    async def open_checkout(self, checkout: Checkout, buyer: Buyer) -> str:
        ways = {"success_url": self._site + checkout.way_on, "cancel_url": self._site + checkout.way_back}
        form = {**_order(checkout), **_buyer(checkout, buyer), **ways}
        told = await self._ask("POST", "/v1/checkout/sessions", form, once=f"checkout-{checkout.id}")
        return _text(told, "url")

    async def payment_methods(self, customer: str) -> list[PaymentMethod]:
        who = quote(customer, safe="")
        known = await self._ask("GET", f"/v1/customers/{who}", {"expand": ["subscriptions"]})
        listed = await self._ask("GET", f"/v1/customers/{who}/payment_methods", {"type": "card", "limit": 100})
        cards = listed.get("data", [])
        default = _charged(known) or (cards[0]["id"] if cards else None)
        return [_method(card, is_default=card["id"] == default) for card in cards]

    async def open_portal(self, customer: str, back: str) -> str:
        form = {"customer": customer, "return_url": self._site + back}
        return _text(await self._ask("POST", "/v1/billing_portal/sessions", form), "url")

    async def cancel(self, subscription: str) -> None:
        await self._ask("DELETE", f"/v1/subscriptions/{quote(subscription, safe='')}", {"prorate": "true"}, gone=True)

    def read_event(self, body: bytes, signature: str, now: datetime) -> Event:
        check(body, signature, self._webhook_secret.get_secret_value(), now)
        return read_event(body)

    async def _ask(
        self, method: str, path: str, form: Mapping[str, Any] | None = None, *, once: str = "", gone: bool = False
    ) -> dict[str, Any]:
        """`gone`: that there is no such thing any more is as good as done."""
        headers = {"Stripe-Version": VERSION, **({"Idempotency-Key": once} if once else {})}
        fields = dict(_flat(form or {}))
        sent: dict[str, Any] = {"data": fields} if method == "POST" else {"params": fields}
        try:
            async with httpx.AsyncClient(
                base_url=self._url, auth=(self._key.get_secret_value(), ""), timeout=self._timeout
            ) as client:
                answer = await client.request(method, path, headers=headers, **sent)
        except httpx.HTTPError as lost:
            raise ProviderFailed(reason="Stripe could not be reached.") from lost
        if gone and answer.status_code == 404:
            return {}
        return _content(answer)


def _order(checkout: Checkout) -> dict[str, Any]:
    price: dict[str, Any] = {
        "currency": "usd",
        "unit_amount": checkout.amount_cents,
        "product_data": {"name": checkout.description},
    }
    about = {"checkout_id": str(checkout.id)}
    order: dict[str, Any] = {"client_reference_id": str(checkout.id), "metadata": about}
    if checkout.plan is None:
        # With an invoice, so that the history has it as it has those of a plan.
        once = {"mode": "payment", "invoice_creation": {"enabled": "true"}}
        return {**order, **once, "line_items": [{"quantity": 1, "price_data": price}]}
    price["recurring"] = {"interval": "month"}
    monthly = {"mode": "subscription", "subscription_data": {"metadata": about}}
    return {**order, **monthly, "line_items": [{"quantity": 1, "price_data": price}]}


def _buyer(checkout: Checkout, buyer: Buyer) -> dict[str, str]:
    if buyer.reference:
        return {"customer": buyer.reference}
    # A subscription makes its customer by itself.
    made = {} if checkout.plan else {"customer_creation": "always"}
    return {**made, **({"customer_email": buyer.email} if buyer.email else {})}


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """`{"a": {"b": [1]}}` is written `a[b][0]=1`."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _flat(part, f"{name}[{key}]" if name else str(key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _flat(part, f"{name}[{place}]")
    else:
        yield name, str(value)


def _charged(customer: dict[str, Any]) -> str | None:
    """The card of the subscription before that of the customer: so Stripe charges, and so Checkout leaves it."""
    running = (customer.get("subscriptions") or {}).get("data", [])
    named = [one["default_payment_method"] for one in running if one.get("default_payment_method")]
    settings = customer.get("invoice_settings") or {}
    default: str | None = (named or [settings.get("default_payment_method")])[0]
    return default


def _method(listed: dict[str, Any], *, is_default: bool) -> PaymentMethod:
    card = listed["card"]
    return PaymentMethod(listed["id"], card["brand"], card["last4"], card["exp_month"], card["exp_year"], is_default)


def _content(answer: httpx.Response) -> dict[str, Any]:
    try:
        told = answer.json()
    except ValueError:
        told = None
    if answer.is_success and isinstance(told, dict):
        return told
    error = told.get("error") if isinstance(told, dict) else None
    words = error.get("message") if isinstance(error, dict) else None
    raise ProviderFailed(reason=f"Stripe answered {answer.status_code}: {words or 'nothing we understand.'}")


def _text(told: dict[str, Any], name: str) -> str:
    value = told.get(name)
    if not isinstance(value, str) or not value:
        raise ProviderFailed(reason=f"Stripe answered without {name}.")
    return value
