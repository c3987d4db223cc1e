"""Collects the parameters of a statement. No value ever becomes part of the SQL text."""

from cairn.db import Value
from cairn.rest.request import BodyBytes


class Parameters:
    """Adds values and returns placeholders. Equal values get the same one, so that GROUP BY finds equal expressions."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, object], int] = {}
        self._values: list[Value] = []
        self.body_index: int | None = None
        """The index of the request body among the parameters."""

    @property
    def all(self) -> tuple[Value, ...]:
        return tuple(self._values)

    def text(self, value: str) -> str:
        return self._add("text", value, value)

    def texts(self, value: tuple[str, ...]) -> str:
        return self._add("text[]", value, list(value))

    def number(self, value: int) -> str:
        return self._add("int8", value, value)

    def bytes(self, body: BodyBytes) -> str:
        if self.body_index is None:
            self.body_index = len(self._values)
        return self._add("bytea", "body", body)

    def body(self, body: BodyBytes) -> str:
        """Adds the body as text, without decoding it to a Python string."""
        return f"convert_from({self.bytes(body)}, 'UTF8')"

    def _add(self, type_: str, key: object, value: Value) -> str:
        number = self._numbers.get((type_, key))
        if number is None:
            self._values.append(value)
            number = self._numbers[type_, key] = len(self._values)
        return f"${number}::{type_}"


def quote_ident(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def qualified_name(name: tuple[str, str]) -> str:
    return f"{quote_ident(name[0])}.{quote_ident(name[1])}"
