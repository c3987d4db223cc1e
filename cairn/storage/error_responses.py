"""Creates error responses. Clients expect HTTP status 400 for most errors, with the actual status in the body."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from cairn.kit import Problem, handle_disconnect, log_failure, log_problem, retry_headers
from cairn.storage.errors import NoSuchEndpoint, ServiceRoleRequired, StorageProblem

log = logging.getLogger(__name__)

ErrorHandler = Callable[[Request, Exception], Awaitable[Response]]
# Server errors keep their HTTP status, because clients use it to decide whether to retry.
_SERVER_ERRORS = frozenset({500, 503})


def error_handlers(*, sends_actual_status: bool) -> Mapping[Any, ErrorHandler]:
    async def handle_problem(request: Request, problem: Exception) -> Response:
        assert isinstance(problem, Problem)
        log_problem(log, request, problem)
        return problem_response(problem, sends_actual_status=sends_actual_status)

    async def handle_unknown_route(request: Request, _: Exception) -> Response:
        return problem_response(NoSuchEndpoint(method=request.method, path=request.url.path), sends_actual_status=True)

    return {
        Problem: handle_problem,
        HTTPException: handle_unknown_route,
        ClientDisconnect: handle_disconnect,
        Exception: _handle_bug,
    }


def problem_response(problem: Problem, *, sends_actual_status: bool) -> Response:
    storage_problem = problem if isinstance(problem, StorageProblem) else None
    status = problem.status
    keeps_status = sends_actual_status or status in _SERVER_ERRORS or isinstance(problem, ServiceRoleRequired)
    body = {
        "statusCode": str(status),
        "error": (storage_problem.error if storage_problem else None) or problem.code,
        "message": str(problem),
        "code": problem.code,
    }
    headers = {**(storage_problem.headers if storage_problem else {}), **retry_headers(problem)}
    return JSONResponse(body, status if keeps_status else 400, headers)


async def _handle_bug(request: Request, _: Exception) -> Response:
    # The server logs the exception itself.
    incident = log_failure(log, request)
    body = {"statusCode": "500", "error": "Internal", "code": "InternalError", "message": "Something went wrong."}
    return JSONResponse({**body, "incident": incident}, 500)
