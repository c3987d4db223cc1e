"""Decides in which lane a request waits for its turn, and refuses filters that are too expensive."""

from collections.abc import Collection, Iterable, Iterator
from typing import Literal, NamedTuple

from cairn.db import ANON, SERVICE, Principal
from cairn.kit import has_backreference
from cairn.rest.errors import BackreferencesNotSupported, PatternsNeedAccount, TooManyPatterns
from cairn.rest.grammar import FULL_TEXT_OPERATORS, Comparison, Condition, Embed, Query
from cairn.rest.request import ParsedRequest
from cairn.rest.settings import RestSettings

MAX_PATTERNS = 5
"""How many regular expressions one request may contain."""

MAX_SEARCHES = 3
"""How many full-text searches a request in the lane of reads may contain. Each one reads the whole text of each row."""

MAX_LIKES = 20
"""How many times `like` and `ilike` may be in a request in the lane of reads. Each one also reads the whole text."""

_LIKE_OPERATORS = ("like", "ilike")
_PATTERN_OPERATORS = ("match", "imatch")

Lane = Literal["insert", "read", "pattern"]
"""Requests of one lane wait only for each other; see `turns`.

Inserts of one row that read nothing else, such as signatures, are always fast and have their own lane. Requests with
regular expressions or many searches are in the lane of patterns. All others may be slow; they are in the lane of reads.
"""


class Cost(NamedTuple):
    lane: Lane
    read_only: bool
    patterns: tuple[str, ...] = ()
    """The regular expressions of the filters. A malicious one can keep PostgreSQL busy for hours."""


def cost_of(parsed: ParsedRequest, *, read_only: bool) -> Cost:
    patterns = _values(parsed.query, _PATTERN_OPERATORS)
    searches = _values(parsed.query, FULL_TEXT_OPERATORS)
    likes = _values(parsed.query, _LIKE_OPERATORS)
    if patterns or len(searches) > MAX_SEARCHES or len(likes) > MAX_LIKES:
        return Cost("pattern", read_only, patterns)
    return Cost("insert" if _only_inserts_one_row(parsed) else "read", read_only)


def check_patterns(patterns: tuple[str, ...], principal: Principal, settings: RestSettings) -> None:
    """Raises a problem if the caller may not use these regular expressions. The service role may use any."""
    if principal.role == SERVICE.role:
        return
    if principal.role == ANON.role and not settings.anonymous_patterns:
        raise PatternsNeedAccount(hint="Use like or ilike, or sign in.")
    if len(patterns) > MAX_PATTERNS:
        raise TooManyPatterns(limit=MAX_PATTERNS)
    if any(map(has_backreference, patterns)):
        raise BackreferencesNotSupported


def _only_inserts_one_row(parsed: ParsedRequest) -> bool:
    """Returns False also for an insert whose response has embeds, filters or an order, which read other rows."""
    is_insert = parsed.method == "POST" and not parsed.is_call
    reads_more = bool(parsed.query.levels) or any(isinstance(item, Embed) for item in parsed.query.select)
    return is_insert and not reads_more and parsed.payload is not None and parsed.payload.row_count <= 1


def _values(query: Query, operators: Collection[str]) -> tuple[str, ...]:
    """Returns the values with which these operators compare."""
    return tuple(
        value
        for comparison in _comparisons(query)
        if comparison.operator in operators and isinstance(comparison.value, str)
        # The value of `match(any)` is an array, in which quotes may be anywhere.
        for value in (comparison.value.replace('"', "").split(",") if comparison.quantifier else (comparison.value,))
    )


def _comparisons(query: Query) -> Iterator[Comparison]:
    for level in query.levels.values():
        yield from _comparisons_in(level.conditions)
    yield from _comparisons_in(parameter.condition for parameter in query.parameters if parameter.condition)


def _comparisons_in(conditions: Iterable[Condition]) -> Iterator[Comparison]:
    for condition in conditions:
        if isinstance(condition, Comparison):
            yield condition
        else:
            yield from _comparisons_in(condition.parts)
