"""Email addresses and phone numbers in the form in which they are stored and compared."""

import phonenumbers
from email_validator import EmailNotValidError, validate_email

from cairn.auth.errors import EmailInvalid, EmailTooLong, PhoneInvalid

LONGEST_EMAIL = 255


def email_address(given: str) -> str:
    """As it is stored and compared: lower-case. Whether mail reaches it is for a letter to find out."""
    if len(given) > LONGEST_EMAIL:
        raise EmailTooLong
    try:
        # Letters outside ASCII before the @ need mail servers that few people have.
        valid = validate_email(given, check_deliverability=False, allow_smtputf8=False, test_environment=True)
    except EmailNotValidError as invalid:
        raise EmailInvalid from invalid
    return valid.normalized.lower()


def email_lookup_key(email: str) -> str:
    """The address an account with this email would have. Checking a plain one costs more than not finding it."""
    return email.lower() if email.isascii() and email.isprintable() else email_address(email)


def phone_number(given: str) -> str:
    """As it is stored and compared: digits only, country first."""
    digits = "".join(given.split()).removeprefix("+")
    try:
        number = phonenumbers.parse(f"+{digits}") if digits.isascii() and digits.isdigit() else None
    except phonenumbers.NumberParseException as invalid:
        raise PhoneInvalid from invalid
    if number is None or not phonenumbers.is_possible_number(number):
        raise PhoneInvalid
    return digits
