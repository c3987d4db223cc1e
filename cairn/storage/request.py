"""What a request says before its body is read: who asks, about which object."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cairn.db import ANON, Principal
from cairn.kit import Problem
from cairn.storage.context import StorageContext
from cairn.storage.errors import AccessDenied, AuthorizationMissing
from cairn.storage.keys import bucket_name, object_key
from cairn.storage.model import ObjectPath

Handler = Callable[[StorageContext, Request], Awaitable[Response]]


def route(context: StorageContext, method: str, path: str, verb: Handler) -> Route:
    async def endpoint(request: Request) -> Response:
        return await verb(context, request)

    return Route(path, endpoint, methods=[method])


def principal(context: StorageContext, request: Request) -> Principal:
    token = _token(request)
    if token is None:
        raise AuthorizationMissing
    try:
        return context.principal_of(token)
    except Problem as bad:
        raise AccessDenied(reason=str(bad)) from bad


def principal_or_anonymous(context: StorageContext, request: Request) -> Principal:
    """Where a token is not asked for, a bad one is no worse than none."""
    try:
        return principal(context, request)
    except (AccessDenied, AuthorizationMissing):
        return ANON


def place(request: Request) -> ObjectPath:
    return ObjectPath(bucket_of(request), object_key(request.path_params["path"]))


def bucket_of(request: Request) -> str:
    return bucket_name(request.path_params["bucket"])


def wants_upsert(request: Request) -> bool:
    return request.headers.get("x-upsert", "").lower() == "true"


def _token(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None
