"""How a request is read and answered at this door, whichever verb it asks for."""

from typing import Any, cast

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cairn.auth.bearer import bearer
from cairn.auth.desk import Desk
from cairn.auth.errors import BodyTooLarge, NoAuthorization, NotAdmin
from cairn.auth.model import Caller
from cairn.auth.wire import Body, parsed
from cairn.db import Principal

LARGEST_BODY = 1_000_000
LONGEST_USER_AGENT = 400


def desk_of(request: Request) -> Desk:
    return cast("Desk", request.app.state.desk)


def principal_of(request: Request) -> Principal:
    return bearer(desk_of(request), request.headers.get("authorization"))


def only_admins(request: Request) -> None:
    """The service key, and nobody's own token."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NoAuthorization
    if desk_of(request).keyring.principal(token.strip()).role != "service_role":
        raise NotAdmin


def caller_of(request: Request) -> Caller:
    agent = request.headers.get("user-agent")
    return Caller(ip=request.client and request.client.host, user_agent=agent and agent[:LONGEST_USER_AGENT])


async def _read(request: Request) -> bytes:
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > LARGEST_BODY:
            raise BodyTooLarge(limit=LARGEST_BODY)
    return bytes(raw)


async def form_of(request: Request) -> str:
    """What a browser's own form sends, still encoded."""
    return (await _read(request)).decode("utf-8", "replace")


async def body_of(request: Request, kind: type[Body]) -> Body:
    return parsed(kind, await _read(request))


def answer(content: Any, **headers: str) -> Response:
    return JSONResponse(content, headers={"Cache-Control": "no-store", **headers})
