"""Parses the `Prefer` header into known preferences and unknown ones, which are reported."""

from collections.abc import Iterator
from dataclasses import field
from functools import lru_cache

from cairn.kit import frozen_dataclass
from cairn.rest.settings import MAX_CACHED_LENGTH

PREFERENCES = {
    "resolution": ("merge-duplicates", "ignore-duplicates"),
    "missing": ("default", "null"),
    "return": ("representation", "minimal", "headers-only"),
    "count": ("exact", "planned", "estimated"),
    "tx": ("commit", "rollback"),
    "handling": ("strict", "lenient"),
    "timezone": (),
    "max-affected": (),
}
"""The allowed values, in the order of `Preference-Applied`. An empty tuple allows any value."""


@frozen_dataclass
class Preferences:
    values: dict[str, str] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> str | None:
        return self.values.get(name)

    @property
    def strict(self) -> bool:
        return self["handling"] == "strict"

    @property
    def max_affected(self) -> int | None:
        """The preference applies only together with `handling=strict`."""
        number = self["max-affected"]
        return int(number) if number is not None and self.strict else None


def parse_prefer(header: str) -> Preferences:
    return _parse_cached(header) if len(header) <= MAX_CACHED_LENGTH else _parse(header)


def _parse(header: str) -> Preferences:
    """The first occurrence of a preference wins, as RFC 7240 requires."""
    values: dict[str, str] = {}
    unknown: list[str] = []
    for preference in _split(header):
        name, _, value = preference.partition("=")
        if _is_known(name, value):
            values.setdefault(name, value)
        else:
            unknown.append(preference)
    return Preferences(values, tuple(unknown))


_parse_cached = lru_cache(maxsize=256)(_parse)


def _split(header: str) -> Iterator[str]:
    return (stripped for part in header.split(",") if (stripped := part.strip()))


def _is_known(name: str, value: str) -> bool:
    if name not in PREFERENCES:
        return False
    if name == "max-affected":
        return value.isascii() and value.isdigit() and len(value) < 10
    return bool(value) if name == "timezone" else value in PREFERENCES[name]
