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
    """Leaves the input out. Copying a large one takes seconds, and it may contain a password."""
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    return WrongField(first["loc"], first["msg"])
