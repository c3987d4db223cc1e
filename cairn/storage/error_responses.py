"""How this door says no: 400 on the outside, the true status in the body, because that is what the clients expect."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import asyncpg
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from cairn.kit import Problem
from cairn.storage.errors import (
    AccessDenied,
    AlreadyExists,
    BucketNotEmpty,
    InvalidKey,
    NoSuchBucket,
    NoSuchEndpoint,
    ServiceRoleRequired,
    StorageProblem,
)

log = logging.getLogger(__name__)

Handler = Callable[[Request, Exception], Awaitable[Response]]
ROW_SECURITY = "new row violates row-level security policy"
# The house itself is in trouble, not the request; clients retry on the status they see.
_OWN_TROUBLE = frozenset({500, 503})


def refusals(*, true_status: bool) -> Mapping[Any, Handler]:
    async def refuse(request: Request, problem: Exception) -> Response:
        assert isinstance(problem, Problem)
        # Quoted: a key may hold a line break, and a log line must stay one.
        log.info("%s %r refused: %s (%r)", request.method, request.url.path, problem.code, str(problem))
        return render(problem, true_status=true_status)

    async def refuse_address(request: Request, _: Exception) -> Response:
        path = request.url.path
        return render(NoSuchEndpoint(method=request.method, path=path), true_status=True)

    return {
        Problem: refuse,
        HTTPException: refuse_address,
        ClientDisconnect: _nobody_listens,
        Exception: _own_up,
    }


def render(problem: Problem, *, true_status: bool) -> Response:
    storage = problem if isinstance(problem, StorageProblem) else None
    status = problem.status
    seen = status if true_status or status in _OWN_TROUBLE or isinstance(problem, ServiceRoleRequired) else 400
    body = {
        "statusCode": str(status),
        "error": (storage.error if storage else None) or problem.code,
        "message": str(problem),
        "code": problem.code,
    }
    headers = dict(storage.headers) if storage else {}
    if status == 503:
        headers["Retry-After"] = "1"
    return JSONResponse(body, seen, headers)


async def _nobody_listens(request: Request, _: Exception) -> Response:
    log.info("%s %s was broken off by the caller", request.method, request.url.path)
    return Response(status_code=400)


async def _own_up(request: Request, _: Exception) -> Response:
    """A bug. The server logs the exception itself; the id ties the answer to that log."""
    incident = uuid4().hex
    log.error("%s %s failed, incident %s", request.method, request.url.path, incident)
    body = {"statusCode": "500", "error": "Internal", "code": "InternalError", "message": "Something went wrong."}
    return JSONResponse({**body, "incident": incident}, 500)


@contextmanager
def translated() -> Iterator[None]:
    """What Postgres refuses, in this door's words. The one place of this room where its errors are looked at."""
    try:
        yield
    except asyncpg.InsufficientPrivilegeError as error:
        raise AccessDenied(reason=ROW_SECURITY if "row-level security" in str(error) else str(error)) from error
    except asyncpg.UniqueViolationError as error:
        raise AlreadyExists from error
    except asyncpg.ForeignKeyViolationError as error:
        # Postgres words it by the side that failed: something still points here, or what it points to is not there.
        raise (BucketNotEmpty if "still referenced" in str(error.detail) else NoSuchBucket) from error
    except asyncpg.CheckViolationError as error:
        raise InvalidKey(key=error.constraint_name) from error
