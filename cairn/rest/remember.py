"""Questions that were understood before: an app asks the same few all day."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from cairn.rest.body import Payload
from cairn.rest.catalog import Catalog
from cairn.rest.errors import BodyNotUnderstood
from cairn.rest.incoming import Incoming
from cairn.rest.plan import Plan
from cairn.rest.request import Asked, read_payload
from cairn.rest.run import Expectation
from cairn.rest.settings import LONGEST_REMEMBERED
from cairn.rest.sql import Statement

_SIZE = 512
_HEADERS = {
    "GET": ("accept", "prefer", "range", "accept-profile"),
    "HEAD": ("accept", "prefer", "range", "accept-profile"),
    "POST": ("accept", "prefer", "range", "content-profile"),
}
"""Those a request is understood by. Changing and deleting name another row in their address each time."""

Question = tuple[object, ...]


class Understood(NamedTuple):
    catalog: Catalog
    asked: Asked
    plan: Plan
    statement: Statement
    expected: Expectation
    facts: Mapping[str, str]
    """What the transaction is told of every such request."""

    payload: Payload | None = None
    """What this request brings, where the rest is remembered of another."""

    def carrying(self, payload: Payload) -> "Understood":
        statement = self.statement.carrying(payload.content)
        return Understood(self.catalog, self.asked, self.plan, statement, self.expected, self.facts, payload)

    def asked_now(self) -> Asked:
        """To be planned anew, should the catalog have been wrong."""
        return replace(self.asked, payload=self.payload) if self.payload else self.asked


def question(incoming: Incoming) -> tuple[Question | None, Payload | None]:
    """The words by which it is known again, and what it brings; no words for what is not worth remembering."""
    headers = _HEADERS.get(incoming.method)
    if headers is None or len(incoming.query) > LONGEST_REMEMBERED:
        return None, None
    words = (incoming.method, incoming.path, incoming.query, *map(incoming.headers.get, headers))
    if incoming.method != "POST":
        return words, None
    try:
        payload = read_payload(incoming.method, incoming.path, incoming.body, incoming.headers)
    except BodyNotUnderstood:
        # It is refused in its turn, after whatever else is wrong with the request.
        return None, None
    shape = payload.shape if payload else None
    return ((*words, shape), payload) if shape else (None, None)


class Memory:
    def __init__(self) -> None:
        self._known: dict[Question, Understood] = {}

    def recall(self, words: Question | None, payload: Payload | None, catalog: Catalog) -> Understood | None:
        """Only what was understood by this very catalog."""
        known = self._known.get(words) if words else None
        if known is None or known.catalog is not catalog:
            return None
        return known.carrying(payload) if payload else known

    def keep(self, words: Question | None, understood: Understood) -> None:
        if words is None or _length(words) > 2 * LONGEST_REMEMBERED:
            return
        if len(self._known) >= _SIZE and words not in self._known:
            # The one that came first. A question that is asked often is soon back.
            del self._known[next(iter(self._known))]
        self._known[words] = _without_body(understood)


def _length(words: Question) -> int:
    """Of the address and of the headers, each of which may be as long as its sender likes."""
    return sum(len(word) for word in words if isinstance(word, str))


def _without_body(understood: Understood) -> Understood:
    """What one request brought is nothing to remember: the next brings its own."""
    asked, plan = understood.asked, understood.plan
    if asked.payload is None:
        return understood
    act = replace(plan.act, body=None) if plan.act else None
    return understood._replace(
        asked=replace(asked, payload=None),
        plan=replace(plan, act=act),
        statement=understood.statement.carrying(b""),
    )
