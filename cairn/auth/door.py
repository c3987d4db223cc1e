"""How a request is read and answered at this door, whichever verb it asks for."""

from typing import Any, cast
from uuid import UUID

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cairn.auth.bearer import bearer
from cairn.auth.desk import Desk
from cairn.auth.errors import BodyTooLarge, NoAuthorization, NotAdmin
from cairn.auth.model import Caller
from cairn.auth.wire import Body, parsed
from cairn.db import Principal
from cairn.kit import Problem

LARGEST_BODY = 1_000_000
LONGEST_USER_AGENT = 400


def desk_of(request: Request) -> Desk:
    return cast("Desk", request.app.state.desk)


def principal_of(request: Request) -> Principal:
    return bearer(desk_of(request), request.headers.get("authorization"))


def only_for_admins(request: Request) -> None:
    """The service key, and nobody's own token."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NoAuthorization
    if desk_of(request).keyring.principal(token.strip()).role != "service_role":
        raise NotAdmin


def caller_of(request: Request) -> Caller:
    agent = request.headers.get("user-agent")
    return Caller(ip=request.client and request.client.host, user_agent=agent and agent[:LONGEST_USER_AGENT])


async def raw_body(request: Request) -> bytes:
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > LARGEST_BODY:
            raise BodyTooLarge(limit=LARGEST_BODY)
    return bytes(raw)


async def body_of(request: Request, kind: type[Body]) -> Body:
    return parsed(kind, await raw_body(request))


def path_id(request: Request, name: str, otherwise: type[Problem]) -> UUID:
    try:
        return UUID(request.path_params[name])
    except ValueError as malformed:
        raise otherwise from malformed


def answer(content: dict[str, Any] | list[Any], status: int = 200) -> Response:
    return JSONResponse(content, status, headers={"Cache-Control": "no-store"})
