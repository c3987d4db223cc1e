"""Questions that were understood before: an app asks the same few all day."""

from collections.abc import Mapping
from dataclasses import dataclass

from cairn.rest.catalog import Catalog
from cairn.rest.plan import Plan
from cairn.rest.request import Asked
from cairn.rest.sql import Statement

_SIZE = 512
_LONGEST = 2000
_HEADERS = ("accept", "prefer", "range", "accept-profile")
"""Those a reading request is understood by."""

Question = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Understood:
    catalog: Catalog
    asked: Asked
    plan: Plan
    statement: Statement


def question(method: str, path: str, query: str, headers: Mapping[str, str]) -> Question | None:
    """None for what is not worth remembering: a write brings other values each time."""
    if method not in ("GET", "HEAD") or len(query) > _LONGEST:
        return None
    return (method, path, query, *(headers.get(name) for name in _HEADERS))


class Memory:
    def __init__(self) -> None:
        self._known: dict[Question, Understood] = {}

    def recall(self, asked: Question | None, catalog: Catalog) -> Understood | None:
        """Only what was understood by this very catalog."""
        known = self._known.get(asked) if asked else None
        return known if known and known.catalog is catalog else None

    def keep(self, asked: Question | None, understood: Understood) -> None:
        if asked is None:
            return
        if len(self._known) >= _SIZE and asked not in self._known:
            # The one that came first. A question that is asked often is soon back.
            del self._known[next(iter(self._known))]
        self._known[asked] = understood
