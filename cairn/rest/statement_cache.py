"""A cache of planned requests.

An app sends the same few requests all day. Parsing the query string, planning it against the catalog and writing the
SQL took 28 % of the server's time when inserting rows (decision 77), and the outcome is the same each time. So the
outcome is cached. The key consists of the method, the path, the query string, the headers that influence the plan, and
the shape of the body: its columns, and whether it is an object or a list.

Three rules must always hold:

- An entry is only used with the same catalog object that it was planned against.
- No part of a body is ever stored.
- Everything else that changes the SQL is part of the key.

PATCH, PUT and DELETE are not cached, because their query string usually names another row each time. The bench
measures it as "insert with the statement cache".
"""

from dataclasses import replace
from typing import NamedTuple

from cairn.rest.catalog import Catalog
from cairn.rest.cost import Cost
from cairn.rest.errors import InvalidBody
from cairn.rest.plan import Plan
from cairn.rest.request import HttpRequest, ParsedRequest, Payload, parse_payload
from cairn.rest.run import Expectation
from cairn.rest.settings import MAX_CACHED_LENGTH
from cairn.rest.statement import Statement
from cairn.rest.transaction_settings import FixedSettings

_MAX_ENTRIES = 512
_MAX_SQL_LENGTH = 20_000
_KEY_HEADERS = {
    "GET": ("accept", "prefer", "range", "accept-profile"),
    "HEAD": ("accept", "prefer", "range", "accept-profile"),
    "POST": ("accept", "prefer", "range", "content-profile"),
}
"""The headers that influence the plan, by cached method."""

CacheKey = tuple[object, ...]


class PreparedRequest(NamedTuple):
    catalog: Catalog
    parsed: ParsedRequest
    plan: Plan
    statement: Statement
    expectation: Expectation
    fixed_settings: FixedSettings
    cost: Cost
    payload: Payload | None = None
    """The payload of the current request, if everything else comes from the cache."""

    restricted_casts: tuple[str, ...] = ()
    """The casts that only the service role may use."""

    def with_payload(self, payload: Payload) -> "PreparedRequest":
        statement = self.statement.with_body(payload.content)
        return self._replace(statement=statement, payload=payload)

    def current_request(self) -> ParsedRequest:
        """Returns the request, to plan it again if the catalog is out of date."""
        return replace(self.parsed, payload=self.payload) if self.payload else self.parsed


def cache_key(request: HttpRequest) -> tuple[CacheKey | None, Payload | None]:
    """Returns the key of the request and its parsed payload. The key is None for a request that is not cached."""
    headers = _KEY_HEADERS.get(request.method)
    if headers is None or len(request.query) > MAX_CACHED_LENGTH:
        return None, None
    key = (request.method, request.path, request.query, *map(request.headers.get, headers))
    if request.method != "POST":
        return key, None
    try:
        payload = parse_payload(request.method, request.path, request.body, request.headers)
    except InvalidBody:
        # Parsing the whole request raises this error again, unless the request has another error before it.
        return None, None
    shape = payload.shape if payload else None
    return ((*key, shape) if shape else None), payload


class StatementCache:
    def __init__(self) -> None:
        self._entries: dict[CacheKey, PreparedRequest] = {}

    def get(self, key: CacheKey | None, payload: Payload | None, catalog: Catalog) -> PreparedRequest | None:
        cached = self._entries.get(key) if key else None
        if cached is None or cached.catalog is not catalog:
            return None
        return cached.with_payload(payload) if payload else cached

    def put(self, key: CacheKey | None, prepared: PreparedRequest) -> None:
        if key is None or _text_length(key) > 2 * MAX_CACHED_LENGTH or len(prepared.statement.sql) > _MAX_SQL_LENGTH:
            return
        if len(self._entries) >= _MAX_ENTRIES and key not in self._entries:
            # Evicts the oldest entry. A frequent request is soon cached again.
            del self._entries[next(iter(self._entries))]
        self._entries[key] = _without_body(prepared)


def _text_length(key: CacheKey) -> int:
    """Counts the characters of the URL and the headers, because clients control their length."""
    return sum(len(part) for part in key if isinstance(part, str))


def _without_body(prepared: PreparedRequest) -> PreparedRequest:
    parsed, plan = prepared.parsed, prepared.plan
    if parsed.payload is None:
        return prepared
    action = replace(plan.action, body=None) if plan.action else None
    return prepared._replace(
        parsed=replace(parsed, payload=None),
        plan=replace(plan, action=action),
        statement=prepared.statement.with_body(b""),
    )
