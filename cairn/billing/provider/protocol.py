"""The interface of a payment provider."""

from datetime import datetime
from typing import Protocol

from cairn.billing.model import Buyer, Checkout, Event, Payer, PaymentMethod


class Provider(Protocol):
    name: str

    async def add_customer(self, payer: Payer) -> str:
        """The provider's id of the customer. Idempotent by payer."""
        ...

    async def open_checkout(self, checkout: Checkout, buyer: Buyer) -> str:
        """The URL of the page to pay exactly this checkout."""
        ...

    async def payment_methods(self, customer: str) -> list[PaymentMethod]: ...

    async def open_portal(self, customer: str, back: str) -> str:
        """The URL of the page to change the card or end the subscription."""
        ...

    async def cancel(self, subscription: str) -> None:
        """Ends it immediately because another replaces it; the remaining paid time is credited."""
        ...

    def read_event(self, body: bytes, signature: str, now: datetime) -> Event:
        """Raises SignatureInvalid unless the provider has just signed the body."""
        ...
