"""Defines users, checkouts and the events of the payment provider, as the rest of billing sees them."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias
from urllib.parse import quote
from uuid import UUID

from pydantic import Field

from cairn.kit import frozen_dataclass

Plan: TypeAlias = Literal["basic", "professional"]
SubscriptionStatus: TypeAlias = Literal["active", "past_due", "paused", "ended"]

PLAN_BY_PRICE: dict[int, Plan] = {2000: "basic", 4000: "professional"}
"""Maps a monthly price in cents to its plan. A payment of any other amount buys no plan."""
PLAN_TITLES: dict[Plan, str] = {"basic": "Basic", "professional": "Professional"}
MAX_AMOUNT_CENTS = 999_999
MAX_DESCRIPTION_LENGTH = 200


@frozen_dataclass
class BillingUser:
    """A signed-in user, who pays for their company or for themselves."""

    user_id: UUID
    email: str
    company_id: UUID | None
    company_name: str

    @property
    def owner_id(self) -> UUID:
        return self.company_id or self.user_id

    @property
    def name(self) -> str:
        return self.company_name or self.email


@frozen_dataclass
class Checkout:
    """A purchase that is paid or still open."""

    id: UUID
    amount_cents: int
    description: str
    plan: Plan | None
    company_id: UUID | None
    user_id: UUID | None
    is_paid: bool

    @property
    def success_path(self) -> str:
        """The page to which the browser returns after the payment."""
        if self.user_id is None:
            return "/"
        if self.company_id is None:
            return "/guest-dashboard"
        return f"/dashboard/settings/billing?paid={self.plan or 'once'}"

    @property
    def cancel_path(self) -> str:
        """The page to which the browser returns if the user cancels."""
        query = f"amount={self.amount_cents}&description={quote(self.description, safe='')}"
        return f"/checkout?{query}&returned=yes"


@frozen_dataclass
class PaymentMethod:
    id: str
    brand: str
    last4: str
    exp_month: int
    exp_year: int
    is_default: bool


@frozen_dataclass
class CheckoutPaid:
    """A checkout was paid. `customer` and `subscription` are the provider's ids."""

    checkout_id: UUID
    customer: str
    email: str | None
    amount_cents: int
    subscription: str | None
    renews_at: datetime | None = None
    kind: Literal["paid"] = "paid"


@frozen_dataclass
class SubscriptionState:
    """A subscription was created or changed. `customer` and `reference` are the provider's ids."""

    customer: str
    reference: str
    plan: Plan
    status: SubscriptionStatus
    renews_at: datetime | None
    is_ending: bool
    kind: Literal["subscription"] = "subscription"


@frozen_dataclass
class InvoiceState:
    """An invoice was paid or could not be paid. `customer` and `reference` are the provider's ids."""

    customer: str
    reference: str
    description: str
    amount_cents: int
    is_paid: bool
    issued_at: datetime
    url: str | None = None
    kind: Literal["invoice"] = "invoice"


EventPart: TypeAlias = Annotated[CheckoutPaid | SubscriptionState | InvoiceState, Field(discriminator="kind")]


@frozen_dataclass
class Event:
    """An event sent by the provider. It has no parts if it contains nothing that we record."""

    provider: str
    id: str
    at: datetime
    parts: tuple[EventPart, ...]


def format_dollars(cents: int) -> str:
    return f"${cents / 100:.2f}"
