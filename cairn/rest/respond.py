"""From an outcome to an answer: status, headers, and the bytes Postgres made."""

import json
import re
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from cairn.kit import Problem
from cairn.rest.dictated import Headers, dictated_headers, dictated_status
from cairn.rest.errors import RangeNotSatisfiable
from cairn.rest.plan import Calling, Plan
from cairn.rest.prefer import KNOWN
from cairn.rest.request import Asked
from cairn.rest.run import Outcome

JSON = "application/json; charset=utf-8"
_UNSAYABLE = re.compile(r"[^ !#-\[\]-~]")
"""In the quoted part of a header."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | AsyncGenerator[bytes, None] = b""
    dictated: Headers = ()
    """By a function, in place of ours of the same name."""


def respond(asked: Asked, plan: Plan, outcome: Outcome, *, max_rows: int | None, may_rollback: bool) -> Answer:
    status = _status(asked, plan, outcome)
    headers = {
        "Content-Range": _content_range(asked, plan, outcome),
        "Vary": "Accept, Prefer, Range",
    }
    if outcome.body is not None or asked.method == "HEAD":
        headers["Content-Type"] = asked.media.content_type
    if asked.names_schema:
        headers["Content-Profile"] = asked.schema
    if asked.reads and not asked.calls:
        headers["Content-Location"] = asked.address
    if outcome.location:
        headers["Location"] = _location(asked, plan, outcome.location)
    applied = _applied(asked, may_rollback=may_rollback)
    if _was_cut(asked, plan, outcome, max_rows):
        applied.append(f"max-rows={max_rows}")
    if applied:
        headers["Preference-Applied"] = ", ".join(applied)
    if plan.act and isinstance(plan.act, Calling) and plan.reading is None:
        headers.pop("Content-Range")
    return Answer(
        dictated_status(outcome.status) or status, headers, outcome.body or b"", dictated_headers(outcome.headers)
    )


def respond_plan(asked: Asked, outcome: Outcome) -> Answer:
    return Answer(200, {"Content-Type": asked.media.content_type}, outcome.body or b"")


def respond_streaming(asked: Asked, parts: AsyncGenerator[bytes, None]) -> Answer:
    """How many rows there will be is not known when the headers leave."""
    headers = {"Content-Type": asked.media.content_type, "Content-Range": "*/*", "Vary": "Accept, Prefer, Range"}
    if asked.names_schema:
        headers["Content-Profile"] = asked.schema
    return Answer(200, headers, parts)


def refuse(problem: Problem) -> Answer:
    """The body every client of this dialect reads; a stranger's Problem brings what it has."""
    body = {
        "code": problem.code,
        "details": getattr(problem, "details", None),
        "hint": getattr(problem, "hint", None),
        "message": str(problem),
    }
    code, described = (_UNSAYABLE.sub("'", words) for words in (problem.code, str(problem)))
    headers = {"Content-Type": JSON, "Proxy-Status": f"Cairn; error={code}"}
    if problem.status == 401:
        headers["WWW-Authenticate"] = f'Bearer error="invalid_token", error_description="{described}"'
    headers |= getattr(problem, "headers", {})
    # A key of half a character is quoted as it came.
    said = json.dumps(body, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return Answer(problem.status, headers, said, getattr(problem, "dictated", ()))


def _status(asked: Asked, plan: Plan, outcome: Outcome) -> int:
    if asked.calls and plan.reading is None:
        return 204
    if asked.calls or asked.reads:
        return _range_status(plan, outcome)
    inserted = outcome.rows - int(outcome.updated or 0)
    if asked.method == "POST":
        merged = asked.prefer["resolution"] == "merge-duplicates" and outcome.rows > 0
        return 200 if merged and inserted == 0 else 201
    if asked.returning != "representation":
        return 204
    return 201 if asked.method == "PUT" and inserted else 200


def _range_status(plan: Plan, outcome: Outcome) -> int:
    total = outcome.total
    if total is None:
        return 200
    offset = (plan.reading.offset if plan.reading else None) or 0
    if offset > total:
        raise RangeNotSatisfiable(
            details=f"An offset of {offset} was requested, but there are only {total} rows.",
            headers={"Content-Range": f"*/{total}"},
        )
    return 206 if outcome.rows < total else 200


def _content_range(asked: Asked, plan: Plan, outcome: Outcome) -> str:
    total = "*" if outcome.total is None else str(outcome.total)
    if asked.method in ("POST", "PUT", "DELETE") and not asked.calls:
        return f"*/{total}"
    if outcome.rows == 0:
        return f"*/{total}"
    offset = (plan.reading.offset if plan.reading else None) or 0
    return f"{offset}-{offset + outcome.rows - 1}/{total}"


def _location(asked: Asked, plan: Plan, values: str) -> str:
    pairs = zip(plan.location, json.loads(values), strict=True)
    return f"/{quote(asked.name)}?" + "&".join(f"{quote(name)}=eq.{quote(str(value))}" for name, value in pairs)


def _applied(asked: Asked, *, may_rollback: bool) -> list[str]:
    """What was asked for and honoured, in the fixed order of the dialect."""
    writes = not (asked.reads or asked.calls)
    honoured = {
        "resolution": asked.method == "POST" and writes,
        "missing": asked.method in ("POST", "PATCH") and writes,
        "return": writes,
        "tx": may_rollback,
        "max-affected": asked.prefer.strict and not asked.reads,
    }
    chosen = asked.prefer.chosen
    return [f"{name}={chosen[name]}" for name in KNOWN if name in chosen and honoured.get(name, True)]


def _was_cut(asked: Asked, plan: Plan, outcome: Outcome, max_rows: int | None) -> bool:
    """Full to the operator's cap, which the caller's own limit did not set, or something embedded is."""
    if outcome.cut:
        return True
    if max_rows is None or outcome.rows != max_rows or plan.reading is None or plan.reading.limit != max_rows:
        return False
    limit = asked.query.level(()).limit
    return limit is None or limit > max_rows
