"""Email addresses and phone numbers in the form in which they are stored and compared."""

import phonenumbers
from email_validator import EmailNotValidError, validate_email

from cairn.auth.errors import EmailInvalid, EmailTooLong, PhoneInvalid

MAX_EMAIL_LENGTH = 255


def email_address(given: str) -> str:
    """Returns the address in lower case. Whether it exists is only known once it is confirmed."""
    if len(given) > MAX_EMAIL_LENGTH:
        raise EmailTooLong
    try:
        # Few mail servers accept non-ASCII characters before the @.
        valid = validate_email(given, check_deliverability=False, allow_smtputf8=False, test_environment=True)
    except EmailNotValidError as error:
        raise EmailInvalid from error
    return valid.normalized.lower()


def email_lookup_key(email: str) -> str:
    """The address under which an account would be stored; a full check would cost more than a failed lookup."""
    return email.lower() if email.isascii() and email.isprintable() else email_address(email)


def phone_number(given: str) -> str:
    """Returns only digits, starting with the country code."""
    digits = "".join(given.split()).removeprefix("+")
    try:
        number = phonenumbers.parse(f"+{digits}") if digits.isascii() and digits.isdigit() else None
    except phonenumbers.NumberParseException as error:
        raise PhoneInvalid from error
    if number is None or not phonenumbers.is_possible_number(number):
        raise PhoneInvalid
    return digits
