"""Logs failed requests in the same way for every service. Each service renders the body in its own JSON shape."""

import logging
from uuid import uuid4

from starlette.requests import Request

from cairn.kit.problem import Problem


def log_refusal(log: logging.Logger, request: Request, problem: Problem) -> None:
    """Logs at info, because a Problem is expected. The path is quoted because it may contain a line break."""
    log.info("%s %r refused: %s (%r)", request.method, request.url.path, problem.code, str(problem))


def log_failure(log: logging.Logger, request: Request, error: BaseException | None = None) -> str:
    """Logs a bug and returns the request id for the response, so that a report leads to this log line."""
    request_id = uuid4().hex
    log.error("%s %r failed, request id %s", request.method, request.url.path, request_id, exc_info=error)
    return request_id


def retry_headers(problem: Problem, *, seconds: int = 1) -> dict[str, str]:
    """Returns the `Retry-After` header, with which clients retry a 503 automatically.

    A rate limit says in `retry_after_seconds` when to try again. Otherwise the client waits for `seconds`.
    """
    if wait_seconds := problem.parameters.get("retry_after_seconds"):
        return {"Retry-After": str(wait_seconds)}
    return {"Retry-After": str(seconds)} if problem.status == 503 else {}
