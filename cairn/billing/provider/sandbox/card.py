"""Parses a card. Only brand, last digits and expiry are kept."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

# The usual test number of payment providers: valid, but always declined.
DECLINED = "4000000000000002"
_BRANDS = {
    "visa": r"4",
    "mastercard": r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720",
    "amex": r"3[47]",
    "discover": r"6011|64[4-9]|65",
    "diners": r"3(?:0[0-5]|[689])",
    "jcb": r"35",
    "unionpay": r"62",
}


@dataclass(frozen=True, slots=True)
class Card:
    brand: str
    last4: str
    exp_month: int
    exp_year: int


def read_card(fields: Mapping[str, str], today: date) -> tuple[Card | None, dict[str, str]]:
    """The card, or an error message per field."""
    number = re.sub(r"[\s-]", "", fields.get("number", ""))
    expiry = re.fullmatch(r"\s*(\d{1,2})\s*/\s*(?:20)?(\d{2})\s*", fields.get("expiry", ""))
    month, year = (int(expiry[1]), 2000 + int(expiry[2])) if expiry else (0, 0)
    problems = {
        "number": _number_problem(number),
        "expiry": _expiry_problem(month, year, today),
        "cvc": None if re.fullmatch(r"[0-9]{3,4}", fields.get("cvc", "").strip()) else "Enter the 3 or 4 digits.",
    }
    errors = {field: problem for field, problem in problems.items() if problem}
    return (None, errors) if errors else (Card(brand_of(number), number[-4:], month, year), {})


def brand_of(number: str) -> str:
    return next((brand for brand, start in _BRANDS.items() if re.match(start, number)), "card")


def is_number(number: str) -> bool:
    """The Luhn check: with every second digit from the right doubled, the digits add up to a multiple of ten."""
    if not re.fullmatch(r"[0-9]{12,19}", number):
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(number))]
    return sum(part // 10 + part % 10 for part in doubled) % 10 == 0


def _number_problem(number: str) -> str | None:
    if not is_number(number):
        return "This is not a card number. Please check the digits."
    return "This card was declined. Nothing was charged; try another one." if number == DECLINED else None


def _expiry_problem(month: int, year: int, today: date) -> str | None:
    if not 1 <= month <= 12:
        return "Enter month and year, for example 12 / 28."
    return "This card has expired." if (year, month) < (today.year, today.month) else None
