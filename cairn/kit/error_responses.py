"""Logs failed requests of services in the same way. Each service renders the body in its own JSON shape."""

import logging
from uuid import uuid4

from starlette.requests import Request

from cairn.kit.problem import Problem
from cairn.kit.request_id import current_request_id


def log_problem(log: logging.Logger, request: Request, problem: Problem) -> None:
    """Logs at info, because a Problem is expected. The text of a 4xx problem is left out: it may quote the request."""
    reason = f" ({str(problem)!r})" if problem.status >= 500 else ""
    log.info("%s %r refused: %s%s", request.method, loggable_path(request), problem.code, reason)


def log_failure(log: logging.Logger, request: Request, error: BaseException | None = None) -> str:
    """Logs a bug. Returns the request id for the response, so that this log line is found if a user mentions the id."""
    log.error("%s %r failed", request.method, loggable_path(request), exc_info=error)
    return current_request_id() or uuid4().hex


def loggable_path(request: Request) -> str:
    """Returns the path of the service and, if that ends in /v1, one more part.

    The rest may contain the name of a file, or a secret. Callers quote the path, because it may contain a line break.
    """
    service = request.scope.get("root_path", "")
    first_part = request.url.path.removeprefix(service).split("/")[1:2]
    return f"{service}/{first_part[0]}" if first_part and service.endswith("/v1") else service


def retry_headers(problem: Problem, *, seconds: int = 1) -> dict[str, str]:
    """Returns the `Retry-After` header, which makes clients retry a 503 automatically.

    If the problem has the parameter `retry_after_seconds`, as most rate limits have, the header contains that number.
    Otherwise a 503 gets `seconds`, and other problems get no header.
    """
    if wait_seconds := problem.parameters.get("retry_after_seconds"):
        return {"Retry-After": str(wait_seconds)}
    return {"Retry-After": str(seconds)} if problem.status == 503 else {}
