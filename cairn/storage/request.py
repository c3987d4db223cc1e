"""Reads the caller, bucket and key from the headers and path of a request."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cairn.db import ANON, Principal
from cairn.kit import Problem
from cairn.storage.context import StorageContext
from cairn.storage.errors import AccessDenied, AuthorizationMissing
from cairn.storage.keys import valid_bucket_name, valid_key
from cairn.storage.model import ObjectPath

Handler = Callable[[StorageContext, Request], Awaitable[Response]]


def route(context: StorageContext, method: str, path: str, handler: Handler) -> Route:
    async def endpoint(request: Request) -> Response:
        return await handler(context, request)

    return Route(path, endpoint, methods=[method])


def authenticate(context: StorageContext, request: Request) -> Principal:
    token = _bearer_token(request)
    if token is None:
        raise AuthorizationMissing
    try:
        return context.principal_of(token)
    except Problem as error:
        raise AccessDenied(reason=str(error)) from error


def authenticate_if_possible(context: StorageContext, request: Request) -> Principal:
    """Returns the anonymous principal if the token is missing or invalid."""
    try:
        return authenticate(context, request)
    except (AccessDenied, AuthorizationMissing):
        return ANON


def path_of(request: Request) -> ObjectPath:
    return ObjectPath(bucket_of(request), valid_key(request.path_params["path"]))


def bucket_of(request: Request) -> str:
    return valid_bucket_name(request.path_params["bucket"])


def wants_upsert(request: Request) -> bool:
    return request.headers.get("x-upsert", "").lower() == "true"


def _bearer_token(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    return token.strip() or None
