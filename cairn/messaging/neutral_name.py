"""Recognizes texts that are not a name but a message, such as "INVOICE 4411: call +1 888 555 0100"."""

# The name of a person or a company is short and contains no phone number.
_MAX_CHARACTERS = 60
_MAX_DIGITS = 4
_SENDER_NAME = "Waivers"


def neutral_name(name: str, replacement: str) -> str:
    """Returns the name of a person, a company or an account, or the replacement if it could be a message."""
    is_ordinary = len(name) <= _MAX_CHARACTERS and sum(map(str.isdigit, name)) <= _MAX_DIGITS
    return name if is_ordinary else replacement


def neutral_sender_name(name: str | None) -> str:
    """Returns the sender's name for a company that has not confirmed its address."""
    return neutral_name(name or "", "") or _SENDER_NAME
