"""Validates email addresses and phone numbers, and returns them in the form in which they are stored."""

import phonenumbers

from cairn.auth.errors import EmailInvalid, EmailTooLong, PhoneInvalid
from cairn.kit import valid_address

MAX_EMAIL_LENGTH = 255


def email_address(text: str) -> str:
    """Returns the address in lower case, after checking its format but not whether it exists."""
    if len(text) > MAX_EMAIL_LENGTH:
        raise EmailTooLong
    try:
        # Few mail servers accept non-ASCII characters before the @.
        return valid_address(text, ascii_mailbox=True).lower()
    except ValueError as error:
        raise EmailInvalid from error


def email_lookup_key(email: str) -> str:
    """Returns the form in which an account would store the address.

    Most addresses are not validated here, because a lookup that finds nothing is cheaper.
    """
    return email.lower() if email.isascii() and email.isprintable() else email_address(email)


def phone_number(text: str) -> str:
    """Returns only digits, starting with the country code."""
    digits = "".join(text.split()).removeprefix("+")
    try:
        number = phonenumbers.parse(f"+{digits}") if digits.isascii() and digits.isdigit() else None
    except phonenumbers.NumberParseException as error:
        raise PhoneInvalid from error
    if number is None or not phonenumbers.is_possible_number(number):
        raise PhoneInvalid
    return digits
