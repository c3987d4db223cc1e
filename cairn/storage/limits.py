"""How large and of what kind an object may be."""

import re
from collections.abc import Sequence

from cairn.storage.errors import InvalidFileSize, TooLarge, TypeNotAllowed

_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,3})?)\s*(gb|mb|kb|b)", re.IGNORECASE)
_UNITS = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}


def byte_count(asked: int | str | None) -> int | None:
    """`20mb` is twenty million bytes."""
    if asked is None or isinstance(asked, int):
        return asked
    found = _SIZE.fullmatch(asked.strip())
    if found is None:
        raise InvalidFileSize
    return int(float(found[1]) * _UNITS[found[2].lower()])


def check_type(content_type: str, allowed: Sequence[str] | None) -> None:
    if not allowed:
        return
    kind = content_type.partition(";")[0].strip().lower()
    family = f"{kind.partition('/')[0]}/*"
    if not {kind, family, "*/*"} & {one.strip().lower() for one in allowed}:
        raise TypeNotAllowed(type=kind)


class SizeLimit:
    """What is left of the allowed size while bytes pass by."""

    def __init__(self, limit: int) -> None:
        self._left = limit

    def spend(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise TooLarge
