"""Checks new passwords. A user with an older password that breaks these rules can still sign in."""

from functools import cache

from cairn.auth.errors import PasswordTooLong, WeakPassword
from cairn.auth.settings import AuthSettings

# This is Supabase's limit, which its clients know. There it comes from bcrypt, which ignores every byte after the 72nd.
# Argon2, which is used here, has no such limit.
MAX_PASSWORD_BYTES = 72


def check_new_password(password: str, settings: AuthSettings) -> None:
    if len(password.encode()) > MAX_PASSWORD_BYTES:
        raise PasswordTooLong(limit=MAX_PASSWORD_BYTES)
    error = find_weakness(password, settings)
    if error is not None:
        raise error


def find_weakness(password: str, settings: AuthSettings) -> WeakPassword | None:
    reasons: dict[str, str] = {}
    if len(password) < settings.minimum_password_length:
        reasons["length"] = f"Password should be at least {settings.minimum_password_length} characters."
    character_sets = settings.password_required_characters
    if not all(set(password) & set(characters) for characters in character_sets):
        reasons["characters"] = f"Password should contain at least one character of each: {', '.join(character_sets)}."
    if settings.password_refuse_common and password.lower() in common_passwords():
        reasons["pwned"] = "Password is known to be weak and easy to guess, please choose a different one."
    return WeakPassword(" ".join(reasons.values()), list(reasons)) if reasons else None


@cache
def common_passwords() -> frozenset[str]:
    """Returns the 30,000 passwords that leaked most often, in lower case."""
    # The list is loaded with the first new password, because few processes need it and loading it takes time.
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415 - see above

    return frozenset(FREQUENCY_LISTS["passwords"])
