"""Stripe by its HTTP API: form-encoded requests, JSON responses, idempotency keys."""

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

# Pinned, so that later changes of the API do not affect us.
VERSION = "2024-06-20"


class Stripe:
    name = "stripe"

    def __init__(self, settings: StripeSettings, site_url: str) -> None:
        assert settings.secret_key is not None, "created without its settings"
        assert settings.webhook_secret is not None, "created without its settings"
        self._key = settings.secret_key
        self._webhook_secret = settings.webhook_secret
        self._url = settings.url.rstrip("/")
        self._timeout = settings.timeout_seconds
        self._site = site_url.rstrip("/")

    async def add_customer(self, payer: Payer) -> str:
        form = {"email": payer.email, "name": payer.name[:250], "metadata": {"owner": str(payer.owner)}}
        # Stripe refuses a different form under the same idempotency key, so the key depends on the form.
        digest = sha256(repr(form).encode()).hexdigest()[:16]
        response = await self._call("POST", "/v1/customers", form, idempotency_key=f"customer-{payer.owner}-{digest}")
        return _text(response, "id")

    async def open_checkout(self, checkout: Checkout, buyer: Buyer) -> str:
        urls = {"success_url": self._site + checkout.success_path, "cancel_url": self._site + checkout.cancel_path}
        form = {**_order(checkout), **_buyer(checkout, buyer), **urls}
        response = await self._call("POST", "/v1/checkout/sessions", form, idempotency_key=f"checkout-{checkout.id}")
        return _text(response, "url")

    async def payment_methods(self, customer: str) -> list[PaymentMethod]:
        customer_id = quote(customer, safe="")
        known = await self._call("GET", f"/v1/customers/{customer_id}", {"expand": ["subscriptions"]})
        listed = await self._call("GET", f"/v1/customers/{customer_id}/payment_methods", {"type": "card", "limit": 100})
        cards = listed.get("data", [])
        default = _charged(known) or (cards[0]["id"] if cards else None)
        return [_method(card, is_default=card["id"] == default) for card in cards]

    async def open_portal(self, customer: str, back: str) -> str:
        form = {"customer": customer, "return_url": self._site + back}
        return _text(await self._call("POST", "/v1/billing_portal/sessions", form), "url")

    async def cancel(self, subscription: str) -> None:
        await self._call("DELETE", f"/v1/subscriptions/{quote(subscription, safe='')}", {"prorate": "true"}, gone=True)

    def read_event(self, body: bytes, signature: str, now: datetime) -> Event:
        check(body, signature, self._webhook_secret.get_secret_value(), now)
        return read_event(body)

    async def _call(
        self,
        method: str,
        path: str,
        form: Mapping[str, Any] | None = None,
        *,
        idempotency_key: str = "",
        gone: bool = False,
    ) -> dict[str, Any]:
        """With `gone`, a 404 counts as success: the thing to delete no longer exists."""
        headers = {"Stripe-Version": VERSION, **({"Idempotency-Key": idempotency_key} if idempotency_key else {})}
        fields = dict(_flat(form or {}))
        sent: dict[str, Any] = {"data": fields} if method == "POST" else {"params": fields}
        try:
            async with httpx.AsyncClient(
                base_url=self._url, auth=(self._key.get_secret_value(), ""), timeout=self._timeout
            ) as client:
                response = await client.request(method, path, headers=headers, **sent)
        except httpx.HTTPError as lost:
            raise ProviderFailed(reason="Stripe could not be reached.") from lost
        if gone and response.status_code == 404:
            return {}
        return _content(response)


def _order(checkout: Checkout) -> dict[str, Any]:
    price: dict[str, Any] = {
        "currency": "usd",
        "unit_amount": checkout.amount_cents,
        "product_data": {"name": checkout.description},
    }
    metadata = {"checkout_id": str(checkout.id)}
    order: dict[str, Any] = {"client_reference_id": str(checkout.id), "metadata": metadata}
    if checkout.plan is None:
        # Stripe creates an invoice, so that the payment appears in the payment history like those of a plan.
        single = {"mode": "payment", "invoice_creation": {"enabled": "true"}}
        return {**order, **single, "line_items": [{"quantity": 1, "price_data": price}]}
    price["recurring"] = {"interval": "month"}
    monthly = {"mode": "subscription", "subscription_data": {"metadata": metadata}}
    return {**order, **monthly, "line_items": [{"quantity": 1, "price_data": price}]}


def _buyer(checkout: Checkout, buyer: Buyer) -> dict[str, str]:
    if buyer.reference:
        return {"customer": buyer.reference}
    # A subscription creates its customer automatically.
    creation = {} if checkout.plan else {"customer_creation": "always"}
    return {**creation, **({"customer_email": buyer.email} if buyer.email else {})}


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """`{"a": {"b": [1]}}` becomes `a[b][0]=1`."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _flat(part, f"{name}[{key}]" if name else str(key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _flat(part, f"{name}[{place}]")
    else:
        yield name, str(value)


def _charged(customer: dict[str, Any]) -> str | None:
    """The card that Stripe charges: the subscription's, or else the customer's default."""
    running = (customer.get("subscriptions") or {}).get("data", [])
    named = [one["default_payment_method"] for one in running if one.get("default_payment_method")]
    settings = customer.get("invoice_settings") or {}
    default: str | None = (named or [settings.get("default_payment_method")])[0]
    return default


def _method(listed: dict[str, Any], *, is_default: bool) -> PaymentMethod:
    card = listed["card"]
    return PaymentMethod(listed["id"], card["brand"], card["last4"], card["exp_month"], card["exp_year"], is_default)


def _content(response: httpx.Response) -> dict[str, Any]:
    try:
        content = response.json()
    except ValueError:
        content = None
    if response.is_success and isinstance(content, dict):
        return content
    error = content.get("error") if isinstance(content, dict) else None
    message = error.get("message") if isinstance(error, dict) else None
    raise ProviderFailed(reason=f"Stripe answered {response.status_code}: {message or 'no readable message.'}")


def _text(content: dict[str, Any], name: str) -> str:
    value = content.get(name)
    if not isinstance(value, str) or not value:
        raise ProviderFailed(reason=f"Stripe answered without {name}.")
    return value
