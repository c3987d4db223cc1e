"""A telephone number as people write it becomes the digits a gateway takes."""

import phonenumbers

# Sending there pays somebody; no guest has such a number.
_DEAR = {phonenumbers.PhoneNumberType.PREMIUM_RATE, phonenumbers.PhoneNumberType.SHARED_COST}


def parse_phone_number(written: str) -> str | None:
    """Digits only, country first. None for what is no number, or names no country."""
    written = written.strip()
    if written.startswith("00"):
        written = f"+{written[2:]}"
    if not written.startswith("+"):
        return None
    try:
        number = phonenumbers.parse(written)
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_possible_number(number) or phonenumbers.number_type(number) in _DEAR:
        return None
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164).removeprefix("+")
