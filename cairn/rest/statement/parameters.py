"""Collects the parameters of a statement. No value ever becomes part of the SQL text."""

from cairn.db import Value
from cairn.rest.errors import TooManyRelatedOrders
from cairn.rest.request import BodyBytes

MAX_REPEATED_SQL = 64_000
"""How many characters of SQL the orders by columns of embedded tables may write. Each of them writes the joins of its
embed again, with the orders inside it, so without a limit a short request becomes gigabytes of SQL."""


class Parameters:
    """Adds values and returns placeholders. Equal values get the same one, so that GROUP BY finds equal expressions."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, object], int] = {}
        self._values: list[Value] = []
        self.body_index: int | None = None
        """The index of the request body among the parameters."""

        self._repeated_length = 0

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

    def count_repeated(self, sql: str) -> str:
        """Counts SQL that repeats what is also written elsewhere in the statement, and returns it."""
        self._repeated_length += len(sql)
        if self._repeated_length > MAX_REPEATED_SQL:
            raise TooManyRelatedOrders
        return sql

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
