"""Translates the errors of PostgreSQL to HTTP. No other module of this package does so."""

import json
import logging
from collections.abc import Mapping
from typing import Any

import asyncpg

from cairn.rest.errors import RestProblem
from cairn.rest.response import Headers, is_status, valid_headers

log = logging.getLogger("cairn.rest")

# The first matching prefix of a SQLSTATE determines the HTTP status. All other codes become 400.
_STATUS_BY_PREFIX = (
    ("08", 503), ("09", 500), ("0L", 403), ("0P", 403), ("23503", 409), ("23505", 409), ("25006", 405), ("25", 500),
    ("28", 403), ("2D", 500), ("38", 500), ("39", 500), ("3B", 500), ("40", 500), ("53400", 500), ("53", 503),
    ("55", 500), ("57P01", 503), ("57", 500), ("58", 500), ("F0", 500), ("HV", 500), ("P0001", 400),
    ("P0", 500), ("XX", 500), ("42883", 404), ("42P01", 404), ("42P17", 500),
)  # fmt: skip
_INSUFFICIENT_PRIVILEGE = "42501"
_LIMIT_EXCEEDED = "54"
_INTERNAL_ERROR = "XX000"
# PostgreSQL has no code of its own for a pattern or a text search that is too complex.
_TOO_COMPLEX_TEXTS = ("invalid memory alloc request size", "tsquery stack too small", "regular expression failed")
_TOO_COMPLEX_HINT = "Simplify the request: fewer columns, a shorter pattern or search, or less nesting."


class DatabaseRefusal(RestProblem):
    message = "{text}"

    def __init__(
        self,
        status: int,
        code: str,
        text: str,
        *,
        details: object = None,
        hint: str | None = None,
        headers: Mapping[str, str] | None = None,
        header_overrides: Headers = (),
    ) -> None:
        super().__init__(text=text, details=details, hint=hint, headers=headers)
        self.status, self.code = status, code
        self.header_overrides = header_overrides


def to_refusal(error: asyncpg.PostgresError, *, signed_in: bool, returns_rows: bool) -> DatabaseRefusal:
    """`returns_rows` means that the response should contain the written rows."""
    code = error.sqlstate or _INTERNAL_ERROR
    text = str(getattr(error, "message", None) or error)
    details, hint = getattr(error, "detail", None), getattr(error, "hint", None)
    if code == "PGRST":
        return _raised_by_function(text, details)
    if _is_too_complex(code, text):
        if code == _INTERNAL_ERROR:
            # A damaged table causes the same error as a complex pattern, so the operator should see it.
            log.warning("PostgreSQL reported %s: %s", code, text)
        return DatabaseRefusal(400, code, text, details=details, hint=_TOO_COMPLEX_HINT)
    status = _status(code, text, signed_in=signed_in)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    if status == 503:
        headers["Retry-After"] = "1"
    if code == _INSUFFICIENT_PRIVILEGE and returns_rows and "row-level security" in text and hint is None:
        hint = (
            "Returning the written row needs a SELECT policy that shows it. Ask for return=minimal, or add the policy."
        )
    return DatabaseRefusal(status, code, text, details=details, hint=hint, headers=headers)


def _is_too_complex(code: str, text: str) -> bool:
    return code.startswith(_LIMIT_EXCEEDED) or (code == _INTERNAL_ERROR and text.startswith(_TOO_COMPLEX_TEXTS))


def _status(code: str, text: str, *, signed_in: bool) -> int:
    if code == _INSUFFICIENT_PRIVILEGE:
        return 403 if signed_in else 401
    if code.startswith("PT") and code[2:].isdigit():
        return int(code[2:]) if is_status(int(code[2:])) else 500
    if code == "21000":
        return 400 if text.endswith("requires a WHERE clause") else 500
    if code == "22023":
        return 401 if text.startswith("role ") and text.endswith("does not exist") else 400
    return next((status for prefix, status in _STATUS_BY_PREFIX if code.startswith(prefix)), 400)


def _raised_by_function(message: str, detail: str | None) -> DatabaseRefusal:
    """Handles `raise sqlstate 'PGRST'`, with which a function defines the whole error response as two JSON objects."""
    try:
        error, response = json.loads(message), json.loads(detail or "")
        status = int(response["status"])
        if not (is_status(status) and isinstance(error["code"], str) and isinstance(error["message"], str)):
            return _malformed(message, detail)
        return DatabaseRefusal(
            status,
            error["code"],
            error["message"],
            details=error.get("details"),
            hint=error.get("hint"),
            header_overrides=valid_headers(dict(response.get("headers") or {}).items()),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return _malformed(message, detail)


def _malformed(message: str, detail: str | None) -> DatabaseRefusal:
    raised: dict[str, Any] = {"message": message, "detail": detail}
    return DatabaseRefusal(
        500,
        "PGRST121",
        "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error",
        details=json.dumps(raised),
        hint="MESSAGE must be a JSON object with obligatory keys: 'code', 'message'. "
        "DETAIL must be a JSON object with obligatory keys: 'status', 'headers'.",
    )
