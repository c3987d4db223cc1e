"""Questions that were understood before: an app asks the same few all day."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from cairn.rest.catalog import Catalog
from cairn.rest.errors import BodyNotUnderstood
from cairn.rest.plan import Plan
from cairn.rest.request import HttpRequest, ParsedRequest, Payload, parse_payload
from cairn.rest.run import Expectation
from cairn.rest.settings import MAX_CACHED_LENGTH
from cairn.rest.statement import Statement

_SIZE = 512
_HEADERS = {
    "GET": ("accept", "prefer", "range", "accept-profile"),
    "HEAD": ("accept", "prefer", "range", "accept-profile"),
    "POST": ("accept", "prefer", "range", "content-profile"),
}
"""Those a request is understood by. Changing and deleting name another row in their address each time."""

CacheKey = tuple[object, ...]


class PreparedRequest(NamedTuple):
    catalog: Catalog
    parsed: ParsedRequest
    plan: Plan
    statement: Statement
    expectation: Expectation
    transaction_settings: Mapping[str, str]
    """What the transaction is told of every such request."""

    payload: Payload | None = None
    """What this request brings, where the rest is remembered of another."""

    def with_body(self, payload: Payload) -> "PreparedRequest":
        statement = self.statement.with_body(payload.content)
        return PreparedRequest(
            self.catalog, self.parsed, self.plan, statement, self.expectation, self.transaction_settings, payload
        )

    def current_request(self) -> ParsedRequest:
        """To be planned anew, should the catalog have been wrong."""
        return replace(self.parsed, payload=self.payload) if self.payload else self.parsed


def cache_key(request: HttpRequest) -> tuple[CacheKey | None, Payload | None]:
    """The words by which it is known again, and what it brings; no words for what is not worth remembering."""
    headers = _HEADERS.get(request.method)
    if headers is None or len(request.query) > MAX_CACHED_LENGTH:
        return None, None
    key = (request.method, request.path, request.query, *map(request.headers.get, headers))
    if request.method != "POST":
        return key, None
    try:
        payload = parse_payload(request.method, request.path, request.body, request.headers)
    except BodyNotUnderstood:
        # It is refused in its turn, after whatever else is wrong with the request.
        return None, None
    shape = payload.shape if payload else None
    return ((*key, shape), payload) if shape else (None, None)


class StatementCache:
    def __init__(self) -> None:
        self._entries: dict[CacheKey, PreparedRequest] = {}

    def get(self, key: CacheKey | None, payload: Payload | None, catalog: Catalog) -> PreparedRequest | None:
        """Only what was understood by this very catalog."""
        known = self._entries.get(key) if key else None
        if known is None or known.catalog is not catalog:
            return None
        return known.with_body(payload) if payload else known

    def keep(self, key: CacheKey | None, prepared: PreparedRequest) -> None:
        if key is None or _length(key) > 2 * MAX_CACHED_LENGTH:
            return
        if len(self._entries) >= _SIZE and key not in self._entries:
            # The one that came first. A question that is asked often is soon back.
            del self._entries[next(iter(self._entries))]
        self._entries[key] = _without_body(prepared)


def _length(key: CacheKey) -> int:
    """Of the address and of the headers, each of which may be as long as its sender likes."""
    return sum(len(word) for word in key if isinstance(word, str))


def _without_body(prepared: PreparedRequest) -> PreparedRequest:
    """What one request brought is nothing to remember: the next brings its own."""
    parsed, plan = prepared.parsed, prepared.plan
    if parsed.payload is None:
        return prepared
    action = replace(plan.action, body=None) if plan.action else None
    return prepared._replace(
        parsed=replace(parsed, payload=None),
        plan=replace(plan, action=action),
        statement=prepared.statement.with_body(b""),
    )
