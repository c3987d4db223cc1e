"""Reads the errors of pydantic."""

from typing import NamedTuple

from pydantic import ValidationError


class WrongField(NamedTuple):
    location: tuple[int | str, ...]
    """The names and indexes that lead to the field. It is empty if the whole input is wrong."""

    reason: str

    def name(self, separator: str = ".") -> str:
        return separator.join(map(str, self.location))


def first_wrong_field(error: ValidationError) -> WrongField:
    """Returns the first wrong field without its input, which may be a password or too large to copy quickly."""
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    return WrongField(first["loc"], first["msg"])
