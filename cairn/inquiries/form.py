"""Validates the fields of an inquiry."""

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from cairn.inquiries.errors import FormIncomplete
from cairn.kit import frozen_dataclass, valid_address

Kind: TypeAlias = Literal["contact", "demo", "support"]
# This field is hidden from people. A bot fills it in, because bots fill in every field.
HONEYPOT = "website"

_MAX_LENGTHS = {"name": 200, "email": 320, "company": 200, "phone": 40, "subject": 200, "message": 5000, "waiver": 36}
# A waiver is named by its whole id or by the first eight characters, which the pages show.
_WAIVER_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8}", re.IGNORECASE)
# The error messages for required fields that are empty.
_REQUIRED: dict[Kind, Mapping[str, str]] = {
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
    "support": {"subject": "Please say in a few words what it is about", "message": "Please write your message"},
}


@frozen_dataclass
class Inquiry:
    kind: Kind
    name: str
    email: str
    company: str = ""
    phone: str = ""
    message: str = ""
    subject: str = ""
    waiver: str = ""


def parse_inquiry(kind: Kind, fields: Mapping[str, str]) -> Inquiry:
    values = {name: _clean(name, fields.get(name, "")) for name in _MAX_LENGTHS}
    problems = {name: problem for name in _MAX_LENGTHS if (problem := _problem(kind, name, values[name]))}
    if problems:
        raise FormIncomplete(problems)
    return Inquiry(kind, **values)


def _clean(name: str, text: str) -> str:
    """Removes surplus spaces, and line breaks from all fields except the message."""
    text = text.replace("\r\n", "\n").replace("\x00", "").strip()
    if name == "message":
        return text
    line = " ".join(text.split())
    return line.lower() if name == "waiver" else line


def _problem(kind: Kind, name: str, value: str) -> str | None:
    if not value:
        return _REQUIRED[kind].get(name)
    if len(value) > _MAX_LENGTHS[name]:
        return f"Please use at most {_MAX_LENGTHS[name]} characters"
    if name == "email" and not _is_address(value):
        return "Please enter an email address we can answer to"
    if name == "waiver" and not _WAIVER_ID.fullmatch(value):
        return "Please enter the id of one waiver, such as 3f2a9c1e"
    return None


def _is_address(value: str) -> bool:
    try:
        valid_address(value)
    except ValueError:
        return False
    return True
