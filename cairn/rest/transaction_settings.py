"""Builds the transaction-local settings in which policies, triggers and functions read about the request."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from cairn.db import Principal
from cairn.rest.grammar import Comparison
from cairn.rest.request import HttpRequest, ParsedRequest
from cairn.rest.settings import RestSettings

_CREDENTIAL_HEADERS = frozenset({"authorization", "apikey", "cookie"})
"""SQL functions do not need the credentials of the caller, so these headers are removed."""


class TransactionContext(NamedTuple):
    """The caller on whose behalf a statement runs, and its transaction-local settings."""

    principal: Principal
    settings: Mapping[str, str]
    by_id: bool = False
    """True if the request filters by the exact id of a row; see `Principal.database_role`."""


class FixedSettings(NamedTuple):
    """The settings that are the same for every request with the same cache key."""

    settings: Mapping[str, str]
    by_id: bool


def fixed_settings(parsed: ParsedRequest, settings: RestSettings) -> FixedSettings:
    filters = exact_filters(parsed)
    fixed = {
        "search_path": ", ".join(map(_quote_ident, dict.fromkeys((parsed.schema, *settings.extra_search_path)))),
        "request.method": parsed.method,
        "request.eq": json.dumps(filters),
    }
    if parsed.prefer["timezone"]:
        fixed["timezone"] = parsed.prefer["timezone"]
    return FixedSettings(fixed, "id" in filters)


def transaction_context(
    fixed: FixedSettings, request: HttpRequest, principal: Principal, settings: RestSettings
) -> TransactionContext:
    headers = request.headers
    return TransactionContext(
        principal,
        {
            **fixed.settings,
            "statement_timeout": str(settings.statement_timeout_ms.get(principal.role, 0)),
            "request.path": request.path,
            "request.headers": json.dumps({k: v for k, v in headers.items() if k not in _CREDENTIAL_HEADERS}),
            "request.ip": request.ip,
            "request.user_agent": headers.get("user-agent", ""),
        },
        fixed.by_id,
    )


def _quote_ident(schema: str) -> str:
    return '"' + schema.replace('"', '""') + '"'


def exact_filters(parsed: ParsedRequest) -> dict[str, str]:
    """Returns the columns of the root table that have a single, plain `column=eq.value` filter, with their values.

    A caller who knows an unguessable id may see its row. So a filter that could match several ids is not included.
    """
    if parsed.is_call or parsed.method in ("POST", "PUT"):
        return {}
    comparisons = [comparison for comparison in parsed.query.level(()).conditions if isinstance(comparison, Comparison)]
    occurrences = Counter(comparison.field.name for comparison in comparisons)
    return {
        comparison.field.name: comparison.value
        for comparison in comparisons
        if comparison.operator == "eq"
        and isinstance(comparison.value, str)
        and not (comparison.negated or comparison.quantifier or comparison.field.steps)
        and occurrences[comparison.field.name] == 1
    }
