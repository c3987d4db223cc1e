"""Parses a card. Only its brand, last four digits and expiry date are kept."""

import re
from collections.abc import Mapping
from datetime import date

from cairn.kit import frozen_dataclass
from cairn.translations import Text, text

# Payment providers use this number for tests. It is valid, but always declined.
DECLINED_NUMBER = "4000000000000002"
# Regular expressions for the first digits of a card number.
_FIRST_DIGITS_BY_BRAND = {
    "visa": r"4",
    "mastercard": r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720",
    "amex": r"3[47]",
    "discover": r"6011|64[4-9]|65",
    "diners": r"3(?:0[0-5]|[689])",
    "jcb": r"35",
    "unionpay": r"62",
}
_WRONG_NUMBER = text("This is not a card number. Please check the digits.")
_DECLINED = text("This card was declined. Nothing was charged; try another one.")
_WRONG_EXPIRY = text("Enter month and year, for example 12 / 28.")
_EXPIRED = text("This card has expired.")
_WRONG_CVC = text("Enter the 3 or 4 digits.")


@frozen_dataclass
class Card:
    brand: str
    last4: str
    exp_month: int
    exp_year: int


def read_card(fields: Mapping[str, str], today: date) -> tuple[Card | None, dict[str, Text]]:
    """Returns the card, or an error message per field."""
    number = re.sub(r"[\s-]", "", fields.get("number", ""))
    expiry = re.fullmatch(r"\s*(\d{1,2})\s*/\s*(?:20)?(\d{2})\s*", fields.get("expiry", ""))
    month, year = (int(expiry[1]), 2000 + int(expiry[2])) if expiry else (0, 0)
    problems = {
        "number": _number_problem(number),
        "expiry": _expiry_problem(month, year, today),
        "cvc": None if re.fullmatch(r"[0-9]{3,4}", fields.get("cvc", "").strip()) else _WRONG_CVC,
    }
    errors = {field: problem for field, problem in problems.items() if problem}
    return (None, errors) if errors else (Card(brand_of(number), number[-4:], month, year), {})


def brand_of(number: str) -> str:
    return next((brand for brand, digits in _FIRST_DIGITS_BY_BRAND.items() if re.match(digits, number)), "card")


def is_card_number(number: str) -> bool:
    """Applies the Luhn check.

    Every second digit from the right is doubled. The digits of the results must add up to a multiple of ten.
    """
    if not re.fullmatch(r"[0-9]{12,19}", number):
        return False
    products = [int(digit) * (1 + position % 2) for position, digit in enumerate(reversed(number))]
    return sum(product // 10 + product % 10 for product in products) % 10 == 0


def _number_problem(number: str) -> Text | None:
    if not is_card_number(number):
        return _WRONG_NUMBER
    return _DECLINED if number == DECLINED_NUMBER else None


def _expiry_problem(month: int, year: int, today: date) -> Text | None:
    if not 1 <= month <= 12:
        return _WRONG_EXPIRY
    return _EXPIRED if (year, month) < (today.year, today.month) else None
