import pytest

from cairn.messaging import greeting


@pytest.mark.accept("APP-36")
@pytest.mark.parametrize(
    ("name", "greeted"),
    [
        ("Noor Haddad", "Hi Noor,"),
        ("Noor", "Hi Noor,"),
        ("  Gil   Okafor ", "Hi Gil,"),
        ("Haddad, Noor", "Hi Noor,"),
        ("Dr. Noor Haddad", "Hi Noor,"),
        ("Dr", "Hi Dr,"),
        ("Anne-Marie O'Neil", "Hi Anne-Marie,"),
        ("山田太郎", "Hi 山田太郎,"),
        ("", "Hi,"),
        (None, "Hi,"),
        ("gil@example.com", "Hi,"),
        ("https://evil.example", "Hi,"),
        ("evil.example", "Hi evil. example,"),
        ("888-555-0100", "Hi,"),
        ("call:8885550100", "Hi,"),
    ],
)
def test_an_email_greets_by_the_first_name(name: str | None, greeted: str) -> None:
    assert greeting(name) == greeted
