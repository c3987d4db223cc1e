"""Parses a phone number as people write it into the digits that a gateway expects."""

import phonenumbers

# Messages to these earn their owner money, so they invite fraud; guests do not have such numbers.
_PREMIUM = {phonenumbers.PhoneNumberType.PREMIUM_RATE, phonenumbers.PhoneNumberType.SHARED_COST}


def parse_phone_number(written: str) -> str | None:
    """Digits only, starting with the country code. None if the number is invalid or has no country code."""
    written = written.strip()
    if written.startswith("00"):
        written = f"+{written[2:]}"
    if not written.startswith("+"):
        return None
    try:
        number = phonenumbers.parse(written)
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_possible_number(number) or phonenumbers.number_type(number) in _PREMIUM:
        return None
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164).removeprefix("+")
