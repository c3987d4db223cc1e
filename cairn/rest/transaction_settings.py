"""What policies, triggers and functions may know about the request, as settings of its transaction."""

import json
from collections import Counter
from collections.abc import Mapping

from cairn.rest.grammar import Comparison
from cairn.rest.request import HttpRequest, ParsedRequest
from cairn.rest.settings import RestSettings

_KEPT_BACK = frozenset({"authorization", "apikey", "cookie"})
"""Whoever writes a function has no use for the caller's keys."""


def fixed_settings(parsed: ParsedRequest, settings: RestSettings) -> dict[str, str]:
    """Those that are the same each time this is asked."""
    facts = {
        "search_path": ", ".join(map(_ident, dict.fromkeys((parsed.schema, *settings.extra_search_path)))),
        "request.method": parsed.method,
        "request.eq": json.dumps(exact_filters(parsed)),
    }
    if parsed.prefer["timezone"]:
        facts["timezone"] = parsed.prefer["timezone"]
    return facts


def request_settings(
    standing: Mapping[str, str], request: HttpRequest, role: str, settings: RestSettings
) -> dict[str, str]:
    headers = request.headers
    return {
        **standing,
        "statement_timeout": str(settings.statement_timeout_ms.get(role, 0)),
        "request.path": request.path,
        "request.headers": json.dumps({k: v for k, v in headers.items() if k not in _KEPT_BACK}),
        "request.ip": request.ip,
        "request.user_agent": headers.get("user-agent", ""),
    }


def _ident(schema: str) -> str:
    return '"' + schema.replace('"', '""') + '"'


def exact_filters(parsed: ParsedRequest) -> dict[str, str]:
    """The columns the request pins to one value: plain `column=eq.value`, said once, of the rows asked for.

    Whoever names an unguessable id may see its row. So nothing that could stand for many ids counts here.
    """
    if parsed.is_call or parsed.method in ("POST", "PUT"):
        return {}
    comparisons = [one for one in parsed.query.level(()).conditions if isinstance(one, Comparison)]
    mentions = Counter(one.field.name for one in comparisons)
    return {
        one.field.name: one.value
        for one in comparisons
        if one.operator == "eq"
        and isinstance(one.value, str)
        and not (one.negated or one.quantifier or one.field.steps)
        and mentions[one.field.name] == 1
    }
