"""Serves the payment page of the sandbox. A card number is checked and then discarded."""

from collections.abc import Callable, Mapping
from html import escape

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from cairn.billing.model import Checkout, format_dollars
from cairn.billing.provider.sandbox.card import read_card
from cairn.billing.provider.sandbox.page import FIELD, FIELD_ERROR
from cairn.billing.provider.sandbox.responses import expired_page, message_page, sandbox_page, submitted_fields
from cairn.billing.provider.sandbox.sandbox import Sandbox
from cairn.billing.store import find_checkout
from cairn.db import SERVICE
from cairn.kit import now, valid_address
from cairn.translations import Text, text

# The label and the attributes of each field. Autocomplete is off for card fields, so that the browser does not offer
# real cards.
_FIELDS = {
    "email": (text("Email"), 'type="email" autocomplete="email" required maxlength="320"'),
    "number": (
        text("Card number"),
        'inputmode="numeric" autocomplete="off" required maxlength="25" placeholder="4242 4242 4242 4242"',
    ),
    "expiry": (text("Expires"), 'inputmode="numeric" autocomplete="off" required maxlength="9" placeholder="MM / YY"'),
    "cvc": (text("CVC"), 'inputmode="numeric" autocomplete="off" required maxlength="4" placeholder="123"'),
}


_EMAIL_MISSING = text("Please enter an email address.")
_EACH_MONTH = text("each month")
_CARDS = text("4242 4242 4242 4242 with a future date is accepted, 4000 0000 0000 0002 is declined.")
_PAY = text("Pay {amount}")
_CANCEL = text("Cancel")
_PAID_TITLE = text("This is paid")
_PAID_TEXT = text("Nothing was charged: it was the sandbox.")
_CONTINUE = text("Continue")


class PaymentPage:
    def __init__(self, sandbox: Sandbox, after_write: Callable[[], None]) -> None:
        self._sandbox = sandbox
        self._after_write = after_write

    async def show(self, request: Request) -> Response:
        checkout = await self._checkout(request)
        if checkout is None:
            return expired_page()
        return _paid_page(checkout) if checkout.is_paid else _form_page(checkout, {}, {})

    async def pay(self, request: Request) -> Response:
        checkout = await self._checkout(request)
        if checkout is None:
            return expired_page()
        if checkout.is_paid:
            return RedirectResponse(checkout.success_path, 303)
        values = await submitted_fields(request)
        card, errors = read_card(values, now().date())
        # Only visitors enter an email address; the one of a signed-in user is stored already.
        email = None if checkout.user_id else _normalized_address(values.get("email", ""))
        if email == "":
            errors = {"email": _EMAIL_MISSING, **errors}
        if card is None or errors:
            return _form_page(checkout, values, errors, 422)
        await self._sandbox.pay(checkout, card, email, now())
        self._after_write()
        return RedirectResponse(checkout.success_path, 303)

    async def _checkout(self, request: Request) -> Checkout | None:
        async with self._sandbox.database.acting_as(SERVICE, read_only=True) as connection:
            return await find_checkout(connection, request.path_params["checkout_id"], self._sandbox.name)


def _normalized_address(text: str) -> str:
    """Returns an empty string if the address is not valid."""
    try:
        return valid_address(text.strip())
    except ValueError:
        return ""


def _form_page(
    checkout: Checkout, values: Mapping[str, str], errors: Mapping[str, Text], status: int = 200
) -> Response:
    names = [name for name in _FIELDS if name != "email" or checkout.user_id is None]
    first_invalid = next((name for name in names if name in errors), None)
    fields = {name: _field_html(name, values, errors, focus=name == first_invalid) for name in names}
    interval = f"<small> {_EACH_MONTH.html()}</small>" if checkout.plan else ""
    amount = format_dollars(checkout.amount_cents)
    pay = _PAY.format(amount=amount)
    body = f"""\
<h1 dir="auto">{escape(checkout.description)}</h1>
<p class="amount">{amount}{interval}</p>
<form method="post" novalidate>
{fields.get("email", "")}{fields["number"]}
<div class="columns">{fields["expiry"]}{fields["cvc"]}</div>
<p class="hint">{_CARDS.html()}</p>
<button type="submit">{escape(pay)}</button>
</form>
<a class="button quiet" href="{escape(checkout.cancel_path)}">{_CANCEL.html()}</a>"""
    return sandbox_page(pay, body, status)


def _field_html(name: str, values: Mapping[str, str], errors: Mapping[str, Text], *, focus: bool) -> str:
    label, attributes = _FIELDS[name]
    message = errors.get(name)
    # Card details are never written into a page, so the user has to enter them again.
    value = escape(values.get(name, "")) if name == "email" else ""
    error = FIELD_ERROR.format(name=name, message=message.html()) if message else ""
    state = f' aria-invalid="true" aria-describedby="error-{name}"' if message else ""
    state += " autofocus" if focus else ""
    return FIELD.format(label=label.html(), name=name, value=value, attributes=attributes, state=state, error=error)


def _paid_page(checkout: Checkout) -> Response:
    continue_link = f'<a class="button" href="{escape(checkout.success_path)}">{_CONTINUE.html()}</a>'
    return message_page(_PAID_TITLE, str(_PAID_TEXT), continue_link)
