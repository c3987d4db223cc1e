"""The parameters of a statement. No value ever becomes part of its text."""

from cairn.rest.body import Content


class Values:
    """Equal values share a number, so that GROUP BY recognises an expression it meets again."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, object], int] = {}
        self._values: list[object] = []

    @property
    def all(self) -> tuple[object, ...]:
        return tuple(self._values)

    def text(self, value: str) -> str:
        return self._add("text", value)

    def texts(self, value: tuple[str, ...]) -> str:
        return self._add("text[]", value, list(value))

    def number(self, value: int) -> str:
        return self._add("int8", value)

    def bytes(self, value: Content) -> str:
        return self._add("bytea", id(value), value)

    def body(self, value: Content) -> str:
        """Text that came over the wire and is not made a Python string on its way."""
        return f"convert_from({self.bytes(value)}, 'UTF8')"

    def _add(self, type_: str, key: object, value: object = None) -> str:
        number = self._numbers.get((type_, key))
        if number is None:
            self._values.append(key if value is None else value)
            number = self._numbers[type_, key] = len(self._values)
        return f"${number}::{type_}"


def ident(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def qualified(name: tuple[str, str]) -> str:
    return f"{ident(name[0])}.{ident(name[1])}"
