"""Runs a fake Stripe on a local port. It refuses wrong requests as the real one does, and signs its events."""

import base64
import hashlib
import hmac
import json
import re
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl
from uuid import uuid4

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.external.serving import serve

API_KEY = "sk_test_key"
WEBHOOK_SECRET = "whsec_test"
# Payments on Stripe's page use this card; its number must never reach our server.
CARD_NUMBER = "4242424242424242"
Json = dict[str, Any]


@dataclass(slots=True)
class FakeStripe:
    """Records every request in `calls`. If `fault` is set, it is the response to every request."""

    customers: dict[str, Json] = field(default_factory=dict)
    sessions: dict[str, Json] = field(default_factory=dict)
    subscriptions: dict[str, Json] = field(default_factory=dict)
    cards: dict[str, list[Json]] = field(default_factory=dict)
    # This maps each idempotency key to its request and response.
    responses: dict[str, tuple[bytes, Json]] = field(default_factory=dict)
    calls: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    fault: Response | None = None
    url: str = ""

    def routes(self) -> list[Route]:
        return [
            Route("/v1/customers", self._endpoint(self.add_customer), methods=["POST"]),
            Route("/v1/customers/{id}", self._endpoint(self.customer), methods=["GET"]),
            Route("/v1/customers/{id}/payment_methods", self._endpoint(self.payment_methods), methods=["GET"]),
            Route("/v1/checkout/sessions", self._endpoint(self.add_session), methods=["POST"]),
            Route("/v1/billing_portal/sessions", self._endpoint(self.portal), methods=["POST"]),
            Route("/v1/subscriptions/{id}", self._endpoint(self.update_subscription), methods=["POST"]),
            Route("/v1/subscriptions/{id}", self._endpoint(self.delete_subscription), methods=["DELETE"]),
        ]

    def _endpoint(self, handler: Any) -> Any:
        async def respond(request: Request) -> Response:
            body = await request.body()
            form = dict(parse_qsl((body or request.url.query.encode()).decode(), strict_parsing=bool(body)))
            self.calls.append((request.method, request.url.path, form))
            if self.fault is not None:
                return self.fault
            if request.headers.get("authorization") != f"Basic {_basic(API_KEY)}":
                return error_response(401, "Invalid API Key provided: sk_test_***")
            if not re.fullmatch(r"\d{4}-\d\d-\d\d(\.\w+)?", request.headers.get("stripe-version", "")):
                return error_response(400, "Invalid Stripe API version")
            key = request.headers.get("idempotency-key")
            if key in self.responses:
                return self._repeated_response(key, body)
            try:
                content = handler(request, form)
            except StripeError as error:
                return error_response(error.status, error.message)
            if key:
                self.responses[key] = body, content
            return JSONResponse(content)

        return respond

    def _repeated_response(self, key: str, body: bytes) -> Response:
        first_body, content = self.responses[key]
        if first_body != body:
            return error_response(400, "Keys for idempotent requests must match.")
        return JSONResponse(content)

    def add_customer(self, _request: Request, form: dict[str, str]) -> Json:
        return self._new_customer(form.get("email"))

    def _new_customer(self, email: str | None) -> Json:
        customer = {"id": f"cus_{uuid4().hex[:14]}", "object": "customer", "email": email}
        settings = {"invoice_settings": {"default_payment_method": None}}
        return self.customers.setdefault(str(customer["id"]), {**customer, **settings})

    def customer(self, request: Request, form: dict[str, str]) -> Json:
        assert form == {"expand[0]": "subscriptions"}
        customer = self._customer(request.path_params["id"])
        data = [
            subscription for subscription in self.subscriptions.values() if subscription["customer"] == customer["id"]
        ]
        return {**customer, "subscriptions": {"object": "list", "data": data}}

    def payment_methods(self, request: Request, form: dict[str, str]) -> Json:
        customer = self._customer(request.path_params["id"])
        assert form["type"] == "card"
        return {"object": "list", "data": self.cards.get(customer["id"], []), "has_more": False}

    def add_session(self, _request: Request, form: dict[str, str]) -> Json:
        price = "line_items[0][price_data]"
        cents = int(form[f"{price}[unit_amount]"])
        is_monthly = form["mode"] == "subscription"
        if cents < 50:
            raise StripeError(400, "The Checkout Session's total amount must convert to at least 50 cents.")
        if (form.get(f"{price}[recurring][interval]") == "month") != is_monthly:
            raise StripeError(400, "You must provide one recurring price in `subscription` mode.")
        if "customer" in form and "customer_email" in form:
            raise StripeError(400, "You may only specify one of these parameters: customer, customer_email.")
        if is_monthly and "customer_creation" in form:
            raise StripeError(400, "`customer_creation` can only be used in `payment` mode.")
        if "customer" in form:
            self._customer(form["customer"])
        session_id = f"cs_test_{uuid4().hex}"
        self.sessions[session_id] = {
            "id": session_id, "object": "checkout.session", "mode": form["mode"], "currency": "usd",
            "amount_total": cents, "client_reference_id": form["client_reference_id"],
            "customer": form.get("customer"), "customer_email": form.get("customer_email"),
            "payment_status": "unpaid", "subscription": None, "invoice": None,
            "success_url": form["success_url"], "cancel_url": form["cancel_url"],
            "url": f"{self.url}/c/pay/{session_id}", "name": form[f"{price}[product_data][name]"],
        }  # fmt: skip
        return self.sessions[session_id]

    def portal(self, _request: Request, form: dict[str, str]) -> Json:
        self._customer(form["customer"])
        assert form["return_url"].startswith("http")
        return {"object": "billing_portal.session", "url": f"{self.url}/p/session/{form['customer']}"}

    def update_subscription(self, request: Request, form: dict[str, str]) -> Json:
        subscription = self.subscriptions.get(request.path_params["id"])
        if subscription is None or subscription["status"] == "canceled":
            raise StripeError(404, "No such subscription")
        assert form == {"cancel_at_period_end": "true"}
        subscription["cancel_at_period_end"] = True
        return subscription

    def delete_subscription(self, request: Request, form: dict[str, str]) -> Json:
        subscription = self.subscriptions.get(request.path_params["id"])
        if subscription is None or subscription["status"] == "canceled":
            raise StripeError(404, "No such subscription")
        assert form == {"prorate": "true"}
        subscription["status"] = "canceled"
        return subscription

    def pay(self, session_id: str, email: str, *, reveals_number: bool = False) -> list[bytes]:
        """Pays on Stripe's page. Returns the events that Stripe then sends, in the usual order.

        With `reveals_number`, the card and every event contain the whole number, as they never do at the real Stripe.
        """
        session, timestamp = self.sessions[session_id], int(time.time())
        customer = session["customer"] or self._new_customer(email)["id"]
        card: Json = {"brand": "visa", "last4": CARD_NUMBER[-4:], "exp_month": 8, "exp_year": 2031}
        if reveals_number:
            card["number"] = CARD_NUMBER
            session["payment_method_details"] = {"card": card}
        method = {"id": f"pm_{uuid4().hex[:14]}", "type": "card", "card": card}
        self.cards.setdefault(customer, []).insert(0, method)
        session.update(customer=customer, payment_status="paid", customer_details={"email": email})
        events = []
        if session["mode"] == "subscription":
            subscription = self._subscribe(session, str(method["id"]), timestamp)
            events.append(event("customer.subscription.created", subscription, timestamp))
        invoice = self._invoice(session, timestamp)
        completed_event = event("checkout.session.completed", dict(session), timestamp)
        return [*events, completed_event, event("invoice.paid", invoice, timestamp)]

    def _subscribe(self, session: Json, method_id: str, timestamp: int) -> Json:
        price = {"unit_amount": session["amount_total"], "currency": "usd", "recurring": {"interval": "month"}}
        item = {"object": "subscription_item", "price": price}
        subscription = {
            "id": f"sub_{uuid4().hex[:14]}", "object": "subscription", "customer": session["customer"],
            "status": "active", "current_period_end": timestamp + 30 * 86400, "cancel_at_period_end": False,
            "default_payment_method": method_id, "items": {"object": "list", "data": [item]},
            "payment_method_details": session.get("payment_method_details"),
        }  # fmt: skip
        session["subscription"] = subscription["id"]
        self.subscriptions[str(subscription["id"])] = subscription
        return subscription

    def _invoice(self, session: Json, timestamp: int) -> Json:
        session["invoice"] = f"in_{uuid4().hex[:14]}"
        return {
            "id": session["invoice"], "object": "invoice", "customer": session["customer"], "created": timestamp,
            "number": "9F2C-0001", "amount_paid": session["amount_total"], "amount_due": session["amount_total"],
            "subscription": session["subscription"], "description": None,
            "payment_method_details": session.get("payment_method_details"),
            "lines": {"object": "list", "data": [{"description": f"1 x {session['name']}"}]},
            "hosted_invoice_url": f"{self.url}/i/{session['invoice']}",
        }  # fmt: skip

    def _customer(self, customer_id: str) -> Json:
        if customer_id not in self.customers:
            raise StripeError(404, f"No such customer: '{customer_id}'")
        return self.customers[customer_id]


class StripeError(Exception):
    def __init__(self, status: int, message: str) -> None:
        self.status, self.message = status, message


def error_response(status: int, message: str) -> Response:
    return JSONResponse({"error": {"type": "invalid_request_error", "message": message}}, status)


def event(kind: str, content: Json, timestamp: int | None = None) -> bytes:
    created = timestamp or int(time.time())
    data = {"object": content}
    body = {"id": f"evt_{uuid4().hex}", "object": "event", "type": kind, "created": created, "data": data}
    return json.dumps(body).encode()


def signature(body: bytes, *, secret: str = WEBHOOK_SECRET, at: float | None = None) -> str:
    timestamp = int(at or time.time())
    digest = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={timestamp},v1={digest},v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39"


def _basic(key: str) -> str:
    return base64.b64encode(f"{key}:".encode()).decode()


@asynccontextmanager
async def running_stripe() -> AsyncIterator[FakeStripe]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        stripe = FakeStripe(url=f"http://127.0.0.1:{listener.getsockname()[1]}")
        async with serve(Starlette(routes=stripe.routes()), listener):
            yield stripe
