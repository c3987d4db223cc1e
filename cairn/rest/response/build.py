"""From an outcome to an answer: status, headers, and the bytes Postgres made."""

import json
import re
from collections.abc import AsyncGenerator
from urllib.parse import quote

from cairn.kit import Problem
from cairn.rest.errors import RangeNotSatisfiable
from cairn.rest.plan import CallPlan, Plan
from cairn.rest.request import PREFERENCES, ParsedRequest
from cairn.rest.response.model import JSON, Response
from cairn.rest.response.overrides import overridden_headers, overridden_status
from cairn.rest.run import Result

_UNSAYABLE = re.compile(r"[^ !#-\[\]-~]")
"""In the quoted part of a header."""


def build_response(
    parsed: ParsedRequest, plan: Plan, result: Result, *, max_rows: int | None, may_rollback: bool
) -> Response:
    status = _status(parsed, plan, result)
    headers = {
        "Content-Range": _content_range(parsed, plan, result),
        "Vary": "Accept, Prefer, Range",
    }
    if result.body is not None or parsed.method == "HEAD":
        headers["Content-Type"] = parsed.media.content_type
    if parsed.has_explicit_schema:
        headers["Content-Profile"] = parsed.schema
    if parsed.is_read and not parsed.is_call:
        headers["Content-Location"] = parsed.canonical_url
    if result.location:
        headers["Location"] = _location(parsed, plan, result.location)
    applied = _applied(parsed, may_rollback=may_rollback)
    if _was_cut(parsed, plan, result, max_rows):
        applied.append(f"max-rows={max_rows}")
    if applied:
        headers["Preference-Applied"] = ", ".join(applied)
    if plan.action and isinstance(plan.action, CallPlan) and plan.read is None:
        headers.pop("Content-Range")
    return Response(
        overridden_status(result.status) or status, headers, result.body or b"", overridden_headers(result.headers)
    )


def explain_response(parsed: ParsedRequest, result: Result) -> Response:
    return Response(200, {"Content-Type": parsed.media.content_type}, result.body or b"")


def streaming_response(parsed: ParsedRequest, parts: AsyncGenerator[bytes, None]) -> Response:
    """How many rows there will be is not known when the headers leave."""
    headers = {"Content-Type": parsed.media.content_type, "Content-Range": "*/*", "Vary": "Accept, Prefer, Range"}
    if parsed.has_explicit_schema:
        headers["Content-Profile"] = parsed.schema
    return Response(200, headers, parts)


def error_response(problem: Problem) -> Response:
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
    return Response(problem.status, headers, said, getattr(problem, "header_overrides", ()))


def _status(parsed: ParsedRequest, plan: Plan, result: Result) -> int:
    if parsed.is_call and plan.read is None:
        return 204
    if parsed.is_call or parsed.is_read:
        return _range_status(plan, result)
    inserted = result.rows - int(result.updated or 0)
    if parsed.method == "POST":
        merged = parsed.prefer["resolution"] == "merge-duplicates" and result.rows > 0
        return 200 if merged and inserted == 0 else 201
    if parsed.returning != "representation":
        return 204
    return 201 if parsed.method == "PUT" and inserted else 200


def _range_status(plan: Plan, result: Result) -> int:
    total = result.total
    if total is None:
        return 200
    offset = (plan.read.offset if plan.read else None) or 0
    if offset > total:
        raise RangeNotSatisfiable(
            details=f"An offset of {offset} was requested, but there are only {total} rows.",
            headers={"Content-Range": f"*/{total}"},
        )
    return 206 if result.rows < total else 200


def _content_range(parsed: ParsedRequest, plan: Plan, result: Result) -> str:
    total = "*" if result.total is None else str(result.total)
    if parsed.method in ("POST", "PUT", "DELETE") and not parsed.is_call:
        return f"*/{total}"
    if result.rows == 0:
        return f"*/{total}"
    offset = (plan.read.offset if plan.read else None) or 0
    return f"{offset}-{offset + result.rows - 1}/{total}"


def _location(parsed: ParsedRequest, plan: Plan, values: str) -> str:
    pairs = zip(plan.location, json.loads(values), strict=True)
    return f"/{quote(parsed.name)}?" + "&".join(f"{quote(name)}=eq.{quote(str(value))}" for name, value in pairs)


def _applied(parsed: ParsedRequest, *, may_rollback: bool) -> list[str]:
    """What was asked for and honoured, in the fixed order of the dialect."""
    writes = not (parsed.is_read or parsed.is_call)
    honoured = {
        "resolution": parsed.method == "POST" and writes,
        "missing": parsed.method in ("POST", "PATCH") and writes,
        "return": writes,
        "tx": may_rollback,
        "max-affected": parsed.prefer.strict and not parsed.is_read,
    }
    chosen = parsed.prefer.chosen
    return [f"{name}={chosen[name]}" for name in PREFERENCES if name in chosen and honoured.get(name, True)]


def _was_cut(parsed: ParsedRequest, plan: Plan, result: Result, max_rows: int | None) -> bool:
    """Full to the operator's cap, which the caller's own limit did not set, or something embedded is."""
    if result.cut:
        return True
    if max_rows is None or result.rows != max_rows or plan.read is None or plan.read.limit != max_rows:
        return False
    limit = parsed.query.level(()).limit
    return limit is None or limit > max_rows
