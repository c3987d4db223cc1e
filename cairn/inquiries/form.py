"""From what was typed to an inquiry, or to what is wrong with it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from email_validator import EmailNotValidError, validate_email

from cairn.inquiries.errors import FormIncomplete

Kind: TypeAlias = Literal["contact", "demo", "support"]
# Nobody sees this field; a program that fills in every field fills it too.
HONEYPOT = "website"

_LONGEST = {"name": 200, "email": 320, "company": 200, "phone": 40, "message": 5000}
_NEEDED: dict[Kind, Mapping[str, str]] = {
    "contact": {
        "name": "Please enter your name",
        "email": "Please enter your email",
        "message": "Please write your message",
    },
    "demo": {
        "name": "Please enter your name",
        "email": "Please enter your email",
        "company": "Please enter the name of your business",
    },
    "support": {"message": "Please write your message"},
}


@dataclass(frozen=True, slots=True)
class Inquiry:
    kind: Kind
    name: str
    email: str
    company: str = ""
    phone: str = ""
    message: str = ""


def read_form(kind: Kind, typed: Mapping[str, str]) -> Inquiry:
    values = {name: _clean(name, typed.get(name, "")) for name in _LONGEST}
    wrong = {name: problem for name in _LONGEST if (problem := _problem(kind, name, values[name]))}
    if wrong:
        raise FormIncomplete(wrong)
    return Inquiry(kind, **values)


def _clean(name: str, text: str) -> str:
    """Only a message has lines."""
    kept = text.replace("\r\n", "\n").replace("\x00", "").strip()
    return kept if name == "message" else " ".join(kept.split())


def _problem(kind: Kind, name: str, value: str) -> str | None:
    if not value:
        return _NEEDED[kind].get(name)
    if len(value) > _LONGEST[name]:
        return f"Please use at most {_LONGEST[name]} characters"
    if name == "email" and not _is_address(value):
        return "Please enter an email address we can answer to"
    return None


def _is_address(value: str) -> bool:
    try:
        validate_email(value, check_deliverability=False, test_environment=True)
    except EmailNotValidError:
        return False
    return True
