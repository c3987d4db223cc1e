"""Converts a phone number as people write it into the digits that a gateway expects."""

import phonenumbers

# A message to a premium number earns money for its owner, which invites fraud. Guests have no such numbers.
_PREMIUM = {phonenumbers.PhoneNumberType.PREMIUM_RATE, phonenumbers.PhoneNumberType.SHARED_COST}


def parse_phone_number(text: str) -> str | None:
    """Returns only digits, starting with the country code, or None if the number is invalid or has no country code."""
    text = text.strip()
    if text.startswith("00"):
        text = f"+{text[2:]}"
    if not text.startswith("+"):
        return None
    try:
        number = phonenumbers.parse(text)
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_possible_number(number) or phonenumbers.number_type(number) in _PREMIUM:
        return None
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164).removeprefix("+")
