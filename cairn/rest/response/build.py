"""Builds the status and the headers of a response. PostgreSQL has already built the body."""

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

_VARY = "Accept, Prefer, Range, Accept-Encoding"
_NOT_QUOTABLE = re.compile(r"[^ !#-\[\]-~]")
"""These characters may not appear inside a quoted string of a header."""


def build_response(
    parsed: ParsedRequest, plan: Plan, result: Result, *, max_rows: int | None, allow_rollback: bool
) -> Response:
    status = _status(parsed, plan, result)
    headers = {
        "Content-Range": _content_range(parsed, plan, result),
        "Vary": _VARY,
    }
    if result.body is not None or parsed.method == "HEAD":
        headers["Content-Type"] = parsed.media.content_type
    if parsed.has_explicit_schema:
        headers["Content-Profile"] = parsed.schema
    if parsed.is_read and not parsed.is_call:
        headers["Content-Location"] = parsed.canonical_url
    if result.location:
        headers["Location"] = _location(parsed, plan, result.location)
    applied_preferences = _applied_preferences(parsed, allow_rollback=allow_rollback)
    if _was_truncated(parsed, plan, result, max_rows):
        applied_preferences.append(f"max-rows={max_rows}")
    if applied_preferences:
        headers["Preference-Applied"] = ", ".join(applied_preferences)
    if plan.action and isinstance(plan.action, CallPlan) and plan.read is None:
        headers.pop("Content-Range")
    return Response(
        overridden_status(result.status) or status, headers, result.body or b"", overridden_headers(result.headers)
    )


def explain_response(parsed: ParsedRequest, result: Result) -> Response:
    return Response(200, {"Content-Type": parsed.media.content_type}, result.body or b"")


def streaming_response(parsed: ParsedRequest, parts: AsyncGenerator[bytes, None]) -> Response:
    """Sends no row count in the headers, because they are sent before all rows were read."""
    headers = {"Content-Type": parsed.media.content_type, "Content-Range": "*/*", "Vary": _VARY}
    if parsed.has_explicit_schema:
        headers["Content-Profile"] = parsed.schema
    return Response(200, headers, parts)


def error_response(problem: Problem) -> Response:
    """Builds an error in the format of PostgREST. A Problem of another package has no details and no hint."""
    body = {
        "code": problem.code,
        "details": getattr(problem, "details", None),
        "hint": getattr(problem, "hint", None),
        "message": str(problem),
    }
    code, description = (_NOT_QUOTABLE.sub("'", text) for text in (problem.code, str(problem)))
    headers = {"Content-Type": JSON, "Proxy-Status": f"Cairn; error={code}"}
    if problem.status == 401:
        headers["WWW-Authenticate"] = f'Bearer error="invalid_token", error_description="{description}"'
    headers |= getattr(problem, "headers", {})
    # The message may quote a key that contains a lone surrogate.
    content = json.dumps(body, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return Response(problem.status, headers, content, getattr(problem, "header_overrides", ()))


def _status(parsed: ParsedRequest, plan: Plan, result: Result) -> int:
    if parsed.is_call and plan.read is None:
        return 204
    if parsed.is_call or parsed.is_read:
        return _range_status(plan, result)
    inserted_count = result.rows - int(result.updated or 0)
    if parsed.method == "POST":
        merged_rows = parsed.prefer["resolution"] == "merge-duplicates" and result.rows > 0
        return 200 if merged_rows and inserted_count == 0 else 201
    if parsed.returning != "representation":
        return 204
    return 201 if parsed.method == "PUT" and inserted_count else 200


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


def _applied_preferences(parsed: ParsedRequest, *, allow_rollback: bool) -> list[str]:
    """Returns the requested preferences that were applied, in the fixed order of PostgREST."""
    is_write = not (parsed.is_read or parsed.is_call)
    was_applied = {
        "resolution": parsed.method == "POST" and is_write,
        "missing": parsed.method in ("POST", "PATCH") and is_write,
        "return": is_write,
        "tx": allow_rollback,
        "max-affected": parsed.prefer.strict and not parsed.is_read,
    }
    values = parsed.prefer.values
    return [f"{name}={values[name]}" for name in PREFERENCES if name in values and was_applied.get(name, True)]


def _was_truncated(parsed: ParsedRequest, plan: Plan, result: Result, max_rows: int | None) -> bool:
    """Checks whether `max_rows` cut off rows of the result or of an embed that the caller had requested."""
    if result.truncated:
        return True
    if max_rows is None or result.rows != max_rows or plan.read is None or plan.read.limit != max_rows:
        return False
    limit = parsed.query.level(()).limit
    return limit is None or limit > max_rows
