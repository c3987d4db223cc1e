"""Renders errors as JSON, in one of two shapes.

Clients that send `X-Supabase-Api-Version: 2024-01-01` or later get `{code, message}`. Older clients get the HTTP
status in `code` and the error code in `error_code`.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import asyncpg
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from cairn.auth.bodies import weak_password_json
from cairn.auth.errors import EndpointNotFound, MethodNotAllowed, OAuthError, RateLimited, SessionBusy, WeakPassword
from cairn.kit import Problem, handle_disconnect, log_failure, log_problem, retry_headers

log = logging.getLogger(__name__)

VERSION_HEADER = "X-Supabase-Api-Version"
NEWER_VERSION = "2024-01-01"

Handler = Callable[[Request, Exception], Awaitable[Response]]


def error_handlers() -> Mapping[Any, Handler]:
    return {
        Problem: _handle_problem,
        HTTPException: _handle_missing_route,
        asyncpg.LockNotAvailableError: _handle_lock_timeout,
        asyncpg.DeadlockDetectedError: _handle_lock_timeout,
        ClientDisconnect: handle_disconnect,
        Exception: _handle_bug,
    }


async def _handle_problem(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, Problem)
    log_problem(log, request, problem)
    return render_error(request, problem)


async def _handle_missing_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    response = render_error(request, MethodNotAllowed() if error.status_code == 405 else EndpointNotFound())
    response.headers.update(error.headers or {})
    return response


async def _handle_lock_timeout(request: Request, _: Exception) -> Response:
    return render_error(request, SessionBusy())


async def _handle_bug(request: Request, _: Exception) -> Response:
    # The web server logs the exception itself.
    return render_error(request, Problem(), error_id=log_failure(log, request))


def render_error(request: Request, problem: Problem, **extra_fields: object) -> Response:
    headers = {"x-sb-error-code": problem.code, "Cache-Control": "no-store", **retry_headers(problem)}
    if isinstance(problem, RateLimited):
        headers["Retry-After"] = str(problem.retry_after_seconds)
    if isinstance(problem, OAuthError):
        return JSONResponse({"error": problem.error, "error_description": str(problem)}, problem.status, headers)
    if isinstance(problem, WeakPassword):
        extra_fields["weak_password"] = weak_password_json(problem)
    if request.headers.get(VERSION_HEADER, "") >= NEWER_VERSION:
        headers[VERSION_HEADER] = NEWER_VERSION
        return JSONResponse({"code": problem.code, "message": str(problem), **extra_fields}, problem.status, headers)
    body = {"code": problem.status, "error_code": problem.code, "msg": str(problem), **extra_fields}
    return JSONResponse(body, problem.status, headers)
