"""What makes a new password acceptable. An old one that no longer meets the rules still signs in."""

from functools import cache

from zxcvbn.frequency_lists import FREQUENCY_LISTS

from cairn.auth.errors import PasswordTooLong, WeakPassword
from cairn.auth.settings import AuthSettings

LONGEST_PASSWORD = 72


def accept_password(password: str, settings: AuthSettings) -> None:
    if len(password.encode()) > LONGEST_PASSWORD:
        raise PasswordTooLong(limit=LONGEST_PASSWORD)
    weak = weakness(password, settings)
    if weak is not None:
        raise weak


def weakness(password: str, settings: AuthSettings) -> WeakPassword | None:
    faults: dict[str, str] = {}
    if len(password) < settings.minimum_password_length:
        faults["length"] = f"Password should be at least {settings.minimum_password_length} characters."
    sets = settings.password_required_characters
    if not all(set(password) & set(characters) for characters in sets):
        faults["characters"] = f"Password should contain at least one character of each: {', '.join(sets)}."
    if settings.password_refuse_common and password.lower() in common_passwords():
        faults["pwned"] = "Password is known to be weak and easy to guess, please choose a different one."
    return WeakPassword(" ".join(faults.values()), list(faults)) if faults else None


@cache
def common_passwords() -> frozenset[str]:
    """The 30,000 that leaked most often, in small letters."""
    return frozenset(FREQUENCY_LISTS["passwords"])
