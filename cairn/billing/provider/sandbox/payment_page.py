"""The payment page. A card number is checked and then discarded."""

from collections.abc import Callable, Mapping
from html import escape

from email_validator import EmailNotValidError, validate_email
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from cairn.billing.model import Checkout, dollars
from cairn.billing.provider.sandbox.card import read_card
from cairn.billing.provider.sandbox.page import FIELD, WRONG
from cairn.billing.provider.sandbox.responses import page, submitted_fields, unknown
from cairn.billing.provider.sandbox.sandbox import Sandbox
from cairn.billing.store import checkout as find_checkout
from cairn.db import SERVICE
from cairn.kit import now

# Autocomplete is off, so that the browser does not offer real cards.
_FIELDS = {
    "email": ("Email", 'type="email" autocomplete="email" required maxlength="320"'),
    "number": (
        "Card number",
        'inputmode="numeric" autocomplete="off" required maxlength="25" placeholder="4242 4242 4242 4242"',
    ),
    "expiry": ("Expires", 'inputmode="numeric" autocomplete="off" required maxlength="9" placeholder="MM / YY"'),
    "cvc": ("CVC", 'inputmode="numeric" autocomplete="off" required maxlength="4" placeholder="123"'),
}


class PaymentPage:
    def __init__(self, sandbox: Sandbox, after_write: Callable[[], None]) -> None:
        self._sandbox = sandbox
        self._after_write = after_write

    async def show(self, request: Request) -> Response:
        checkout = await self._checkout(request)
        if checkout is None:
            return unknown()
        return _done(checkout) if checkout.is_paid else _form(checkout, {}, {})

    async def pay(self, request: Request) -> Response:
        checkout = await self._checkout(request)
        if checkout is None:
            return unknown()
        if checkout.is_paid:
            return RedirectResponse(checkout.success_path, 303)
        typed = await submitted_fields(request)
        card, errors = read_card(typed, now().date())
        # The email address of a signed-in user is known.
        email = None if checkout.user_id else _address(typed.get("email", ""))
        if email == "":
            errors = {"email": "Please enter an email address.", **errors}
        if card is None or errors:
            return _form(checkout, typed, errors, 422)
        await self._sandbox.pay(checkout, card, email, now())
        self._after_write()
        return RedirectResponse(checkout.success_path, 303)

    async def _checkout(self, request: Request) -> Checkout | None:
        async with self._sandbox.database.acting_as(SERVICE, read_only=True) as connection:
            return await find_checkout(connection, request.path_params["checkout_id"], self._sandbox.name)


def _address(typed: str) -> str:
    """The normalized address, or an empty string if it is not valid."""
    try:
        return validate_email(typed.strip(), check_deliverability=False, test_environment=True).normalized
    except EmailNotValidError:
        return ""


def _form(checkout: Checkout, typed: Mapping[str, str], errors: Mapping[str, str], status: int = 200) -> Response:
    names = [name for name in _FIELDS if name != "email" or checkout.user_id is None]
    first = next((name for name in names if name in errors), None)
    fields = {name: _field(name, typed, errors, is_first=name == first) for name in names}
    each = "<small> each month</small>" if checkout.plan else ""
    amount = dollars(checkout.amount_cents)
    body = f"""\
<h1 dir="auto">{escape(checkout.description)}</h1>
<p class="sum">{amount}{each}</p>
<form method="post" novalidate>
{fields.get("email", "")}{fields["number"]}
<div class="two">{fields["expiry"]}{fields["cvc"]}</div>
<p class="hint">4242 4242 4242 4242 with a future date is accepted, 4000 0000 0000 0002 is declined.</p>
<button type="submit">Pay {amount}</button>
</form>
<a class="button quiet" href="{escape(checkout.cancel_path)}">Cancel</a>"""
    return page(f"Pay {amount}", body, status)


def _field(name: str, typed: Mapping[str, str], errors: Mapping[str, str], *, is_first: bool) -> str:
    label, attributes = _FIELDS[name]
    problem = errors.get(name)
    # Card details are never echoed into a page; they must be typed again.
    value = escape(typed.get(name, "")) if name == "email" else ""
    wrong = WRONG.format(name=name, message=escape(problem)) if problem else ""
    state = f' aria-invalid="true" aria-describedby="wrong-{name}"' if problem else ""
    focus = " autofocus" if is_first else ""
    return FIELD.format(label=label, name=name, value=value, attributes=attributes, state=state + focus, wrong=wrong)


def _done(checkout: Checkout) -> Response:
    way = f'<a class="button" href="{escape(checkout.success_path)}">Continue</a>'
    return page("Paid", f"<h1>This is paid</h1><p>Nothing was charged: it was the sandbox.</p>{way}")
