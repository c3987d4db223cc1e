import pytest

from cairn.auth import AuthSettings
from cairn.auth.password_strength import find_weakness

LOWERCASE, DIGITS = "abcdefghijklmnopqrstuvwxyz", "0123456789"


@pytest.mark.parametrize(
    ("password", "reasons"),
    [
        ("nine rapids before noon 9", []),
        ("short 1", ["length"]),
        ("123456", ["length", "characters", "pwned"]),
        ("password", ["characters", "pwned"]),
        ("PassWord1", ["pwned"]),
        ("qwertyuiop1", ["pwned"]),
        ("12345678", ["characters", "pwned"]),
        ("no digits here", ["characters"]),
    ],
)
def test_a_weak_password_is_refused_with_reasons(settings: AuthSettings, password: str, reasons: list[str]) -> None:
    strict_settings = settings.model_copy(update={"password_required_characters": (LOWERCASE, DIGITS)})

    error = find_weakness(password, strict_settings)

    assert list(error.reasons if error else []) == reasons


def test_several_reasons_are_joined_in_one_message(settings: AuthSettings) -> None:
    error = find_weakness("123456", settings.model_copy(update={"password_required_characters": (LOWERCASE, DIGITS)}))

    assert str(error) == (
        "Password should be at least 8 characters. "
        f"Password should contain at least one character of each: {LOWERCASE}, {DIGITS}. "
        "Password is known to be weak and easy to guess, please choose a different one."
    )


def test_the_check_for_common_passwords_can_be_disabled(settings: AuthSettings) -> None:
    assert find_weakness("password", settings) is not None
    assert find_weakness("password", settings.model_copy(update={"password_refuse_common": False})) is None
