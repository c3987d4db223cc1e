"""Builds the transaction-local settings in which policies, triggers and functions read about the request."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from cairn.db import ROLES, SERVICE, Principal
from cairn.rest.cost import Cost
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
    timeouts: Mapping[str, str]
    """The statement timeout in milliseconds of each database role. "0" means that there is none."""


def fixed_settings(parsed: ParsedRequest, cost: Cost, settings: RestSettings) -> FixedSettings:
    filters = exact_filters(parsed)
    fixed = {
        "search_path": ", ".join(map(_quote_ident, dict.fromkeys((parsed.schema, *settings.extra_search_path)))),
        "request.method": parsed.method,
        "request.eq": json.dumps(filters),
    }
    if parsed.prefer["timezone"]:
        fixed["timezone"] = parsed.prefer["timezone"]
    timeouts = {role: str(_timeout_ms(role, cost, settings)) for role in ROLES}
    return FixedSettings(fixed, "id" in filters, timeouts)


def _timeout_ms(role: str, cost: Cost, settings: RestSettings) -> int:
    timeouts = [
        settings.statement_timeout_ms.get(role, 0),
        settings.read_timeout_ms.get(role, 0) if cost.read_only else 0,
        settings.pattern_timeout_ms if cost.lane == "pattern" and role != SERVICE.role else 0,
    ]
    return min((timeout for timeout in timeouts if timeout), default=0)


def transaction_context(fixed: FixedSettings, request: HttpRequest, principal: Principal) -> TransactionContext:
    headers = request.headers
    return TransactionContext(
        principal,
        {
            **fixed.settings,
            "statement_timeout": fixed.timeouts[principal.role],
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
