"""Finds JSON numbers that are short to send but long to print: PostgreSQL writes 1e100000 with 100,001 digits."""

import re

_HUGE_EXPONENT = re.compile(rb"[0-9.][eE][+-]?[0-9]{3}")


def has_huge_number(body: bytes | bytearray) -> bool:
    """Returns True if a number outside of strings has an exponent of three or more digits."""
    if b"\\" in body:
        # What is left are the quotation marks at the ends of strings. Escaped backslashes have to go first.
        body = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    # Splitting takes a hundredth of the time of a regular expression that skips strings.
    return _HUGE_EXPONENT.search(b"".join(body.split(b'"')[::2])) is not None
