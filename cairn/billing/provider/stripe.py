"""Calls the HTTP API of Stripe. Requests are form-encoded, and responses are JSON."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any
from urllib.parse import quote

import httpx

from cairn.billing.errors import ProviderFailed
from cairn.billing.model import BillingUser, Checkout, Event, PaymentMethod
from cairn.billing.provider.stripe_events import read_event
from cairn.billing.settings import StripeSettings
from cairn.billing.signature import check_signature
from cairn.kit import default_ssl_context

# The version is fixed, so that later changes of the API do not affect us.
API_VERSION = "2024-06-20"
_MAX_NAME_LENGTH = 250


class Stripe:
    name = "stripe"

    def __init__(self, settings: StripeSettings, site_url: str) -> None:
        assert settings.secret_key is not None, "Stripe is used only if its keys are set"
        assert settings.webhook_secret is not None, "Stripe is used only if its keys are set"
        self._key = settings.secret_key
        self._webhook_secret = settings.webhook_secret
        self._url = settings.url.rstrip("/")
        self._timeout_seconds = settings.timeout_seconds
        self._site_url = site_url.rstrip("/")

    async def add_customer(self, user: BillingUser) -> str:
        form = {"email": user.email, "name": user.name[:_MAX_NAME_LENGTH], "metadata": {"owner": str(user.owner_id)}}
        # Stripe refuses a different form under the same idempotency key, so the key depends on the form.
        digest = sha256(repr(form).encode()).hexdigest()[:16]
        key = f"customer-{user.owner_id}-{digest}"
        return _required_text(await self._call("POST", "/v1/customers", form, idempotency_key=key), "id")

    async def open_checkout(self, checkout: Checkout, customer: str | None) -> str:
        urls = {
            "success_url": self._site_url + checkout.success_path,
            "cancel_url": self._site_url + checkout.cancel_path,
        }
        form = {**_order_fields(checkout), **_customer_fields(checkout, customer), **urls}
        response = await self._call("POST", "/v1/checkout/sessions", form, idempotency_key=f"checkout-{checkout.id}")
        return _required_text(response, "url")

    async def payment_methods(self, customer: str) -> list[PaymentMethod]:
        path = f"/v1/customers/{quote(customer, safe='')}"
        details = await self._call("GET", path, {"expand": ["subscriptions"]})
        response = await self._call("GET", f"{path}/payment_methods", {"type": "card", "limit": 100})
        methods = response.get("data", [])
        default_id = _default_method_id(details) or (methods[0]["id"] if methods else None)
        return [_payment_method(method, is_default=method["id"] == default_id) for method in methods]

    async def open_portal(self, customer: str, return_path: str) -> str:
        form = {"customer": customer, "return_url": self._site_url + return_path}
        return _required_text(await self._call("POST", "/v1/billing_portal/sessions", form), "url")

    async def cancel(self, subscription: str) -> None:
        path = f"/v1/subscriptions/{quote(subscription, safe='')}"
        await self._call("DELETE", path, {"prorate": "true"}, accept_404=True)

    async def stop_renewal(self, subscription: str) -> None:
        path = f"/v1/subscriptions/{quote(subscription, safe='')}"
        await self._call("POST", path, {"cancel_at_period_end": "true"}, accept_404=True)

    def read_event(self, body: bytes, signature: str, now: datetime) -> Event:
        check_signature(body, signature, self._webhook_secret.get_secret_value(), now)
        return read_event(body)

    async def _call(
        self,
        method: str,
        path: str,
        form: Mapping[str, Any] | None = None,
        *,
        idempotency_key: str = "",
        accept_404: bool = False,
    ) -> dict[str, Any]:
        """Returns the JSON of the response.

        With `accept_404`, a 404 is not an error: a subscription that no longer exists does not have to be ended.
        """
        headers = {"Stripe-Version": API_VERSION, **({"Idempotency-Key": idempotency_key} if idempotency_key else {})}
        fields = dict(_flatten(form or {}))
        arguments: dict[str, Any] = {"data": fields} if method == "POST" else {"params": fields}
        try:
            async with httpx.AsyncClient(
                base_url=self._url,
                auth=(self._key.get_secret_value(), ""),
                verify=default_ssl_context(),
                timeout=self._timeout_seconds,
            ) as client:
                response = await client.request(method, path, headers=headers, **arguments)
        except httpx.HTTPError as error:
            raise ProviderFailed(reason="Stripe could not be reached.") from error
        if accept_404 and response.status_code == 404:
            return {}
        return _json_or_error(response)


def _order_fields(checkout: Checkout) -> dict[str, Any]:
    price: dict[str, Any] = {
        "currency": "usd",
        "unit_amount": checkout.amount_cents,
        "product_data": {"name": checkout.description},
    }
    metadata = {"checkout_id": str(checkout.id)}
    order: dict[str, Any] = {"client_reference_id": str(checkout.id), "metadata": metadata}
    if checkout.plan is None:
        # With an invoice, a single payment appears in the payment history like the payments for a plan.
        single = {"mode": "payment", "invoice_creation": {"enabled": "true"}}
        return {**order, **single, "line_items": [{"quantity": 1, "price_data": price}]}
    price["recurring"] = {"interval": "month"}
    monthly = {"mode": "subscription", "subscription_data": {"metadata": metadata}}
    return {**order, **monthly, "line_items": [{"quantity": 1, "price_data": price}]}


def _customer_fields(checkout: Checkout, customer: str | None) -> dict[str, str]:
    if customer is not None:
        return {"customer": customer}
    # For a subscription, Stripe always creates a customer, and refuses the field `customer_creation`.
    return {} if checkout.plan else {"customer_creation": "always"}


def _flatten(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Turns nested values into form fields: `{"a": {"b": [1]}}` becomes `a[b][0]=1`."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _flatten(part, f"{name}[{key}]" if name else str(key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _flatten(part, f"{name}[{index}]")
    else:
        yield name, str(value)


def _default_method_id(customer: dict[str, Any]) -> str | None:
    """Returns the card that Stripe charges: the one of a subscription, or else the default of the customer."""
    subscriptions = (customer.get("subscriptions") or {}).get("data", [])
    candidates = [*subscriptions, customer.get("invoice_settings") or {}]
    method_ids: list[str | None] = [candidate.get("default_payment_method") for candidate in candidates]
    return next((method_id for method_id in method_ids if method_id), None)


def _payment_method(method: dict[str, Any], *, is_default: bool) -> PaymentMethod:
    card = method["card"]
    return PaymentMethod(method["id"], card["brand"], card["last4"], card["exp_month"], card["exp_year"], is_default)


def _json_or_error(response: httpx.Response) -> dict[str, Any]:
    try:
        content = response.json()
    except ValueError:
        content = None
    if response.is_success and isinstance(content, dict):
        return content
    error = content.get("error") if isinstance(content, dict) else None
    message = error.get("message") if isinstance(error, dict) else None
    raise ProviderFailed(reason=f"Stripe answered {response.status_code}: {message or 'no readable message.'}")


def _required_text(content: dict[str, Any], name: str) -> str:
    value = content.get(name)
    if not isinstance(value, str) or not value:
        raise ProviderFailed(reason=f"Stripe answered without {name}.")
    return value
