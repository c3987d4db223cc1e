"""Defines the interface of a payment provider."""

from datetime import datetime
from typing import Protocol

from cairn.billing.model import BillingUser, Checkout, Event, PaymentMethod


class Provider(Protocol):
    name: str

    async def add_customer(self, user: BillingUser) -> str:
        """Returns the provider's id for the customer. If the call is repeated soon, it returns the same id."""
        ...

    async def open_checkout(self, checkout: Checkout, customer: str | None) -> str:
        """Returns the URL of the page that charges exactly this checkout. `customer` is None for a visitor."""
        ...

    async def payment_methods(self, customer: str) -> list[PaymentMethod]: ...

    async def open_portal(self, customer: str, return_path: str) -> str:
        """Returns the URL of the page on which the user changes the card or ends the subscription."""
        ...

    async def cancel(self, subscription: str) -> None:
        """Ends a subscription immediately. If it cost money, the provider credits the remaining paid time."""
        ...

    async def stop_renewal(self, subscription: str) -> None:
        """Ends a subscription when the paid period is over. Until then, the user can resume it in the portal."""
        ...

    def read_event(self, body: bytes, signature: str, now: datetime) -> Event:
        """Raises SignatureInvalid unless the provider has just signed the body."""
        ...
