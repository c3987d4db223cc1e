"""The parameters of a statement. No value ever becomes part of its text."""


class Values:
    """Equal values share a number, so that GROUP BY recognises an expression it meets again."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, object], int] = {}

    @property
    def all(self) -> tuple[object, ...]:
        return tuple(list(value) if isinstance(value, tuple) else value for _, value in self._numbers)

    def text(self, value: str) -> str:
        return self._add("text", value)

    def texts(self, value: tuple[str, ...]) -> str:
        return self._add("text[]", value)

    def number(self, value: int) -> str:
        return self._add("int8", value)

    def _add(self, type_: str, value: object) -> str:
        number = self._numbers.setdefault((type_, value), len(self._numbers) + 1)
        return f"${number}::{type_}"


def ident(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def qualified(name: tuple[str, str]) -> str:
    return f"{ident(name[0])}.{ident(name[1])}"
