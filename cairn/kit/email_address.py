"""Checks that a text is the address of one mailbox.

Instead of an address, mail programs and mail servers also accept lists (`a@x.example, b@x.example`), comments
(`a@x.example(1)`), quotes and encoded words (`=?utf-8?q?a=40x.example?=`). With these, one email would reach several
people, or one person would have any number of addresses. `cairn.is_one_address` in SQL has the same rule; a test
compares both.
"""

import re
import unicodedata

from email_validator import validate_email

MAX_ADDRESS_CHARACTERS = 320
# Normalizing can shorten an address. A text that is longer than this is refused before it is normalized.
MAX_TYPED_CHARACTERS = 1000
# Characters that separate or hide something in an address: white space, control and invisible characters, the special
# characters of RFC 5322, and the Chinese full stop, which domains treat as a dot.
_SPECIAL = (
    r'\s@()<>,;:"\[\]\\'
    "\x00-\x20\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f"
    "\u2800\u3000-\u3002\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff"
)
_ADDRESS = re.compile(rf"[^{_SPECIAL}]+@[^{_SPECIAL}.]+(\.[^{_SPECIAL}.]+)*")
_ENCODED_WORD = "=?"


def is_one_address(text: str) -> bool:
    """Returns True if the text is one address and nothing else. It may still break other rules of addresses."""
    # Normalizing a long text with many accents would take minutes.
    if len(text) > MAX_ADDRESS_CHARACTERS:
        return False
    # Full-width characters count as the ordinary ones, because domains treat them the same way.
    plain = unicodedata.normalize("NFKC", text)
    return _ENCODED_WORD not in plain and _ADDRESS.fullmatch(plain) is not None


def valid_address(text: str, *, ascii_mailbox: bool = False) -> str:
    """Returns the address in its normalized form. It does not have to exist.

    With `ascii_mailbox`, only ASCII characters are accepted before the @. Raises ValueError with the reason.
    """
    if len(text) > MAX_TYPED_CHARACTERS:
        raise ValueError("It is longer than an email address can be.")
    address = validate_email(
        text, check_deliverability=False, allow_smtputf8=not ascii_mailbox, test_environment=True
    ).normalized
    if not is_one_address(address):
        raise ValueError("It must be one address, without brackets, quotes or commas.")
    return address


def mailbox_of(email: str) -> str:
    """Returns the same text for all addresses that deliver to one mailbox, for counting emails and for nothing else.

    Most mail servers ignore what follows a plus sign, and Gmail also ignores dots and has two domains.
    """
    name, _, domain = email.lower().rpartition("@")
    # A plus sign at the beginning of the name does not begin a tag.
    name = name[:1] + name[1:].partition("+")[0]
    if domain in ("gmail.com", "googlemail.com"):
        return f"{name.replace('.', '')}@gmail.com"
    return f"{name}@{domain}"
