"""What a payment provider does for us."""

from datetime import datetime
from typing import Protocol

from cairn.billing.model import Buyer, Checkout, Event, Payer, PaymentMethod


class Provider(Protocol):
    name: str

    async def add_customer(self, payer: Payer) -> str:
        """How the provider calls them from now on; asked twice is once."""
        ...

    async def open_checkout(self, checkout: Checkout, buyer: Buyer) -> str:
        """Where the browser goes to pay exactly this."""
        ...

    async def payment_methods(self, customer: str) -> list[PaymentMethod]: ...

    async def open_portal(self, customer: str, back: str) -> str:
        """Where the payer changes the card or ends the subscription."""
        ...

    async def cancel(self, subscription: str) -> None:
        """At once, because another has taken its place; what is left of the paid time is credited."""
        ...

    def read_event(self, body: bytes, signature: str, now: datetime) -> Event:
        """Refuses what the provider has not signed just now."""
        ...
