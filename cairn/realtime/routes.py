"""The doors of `/realtime/v1`: the socket, and broadcasting by plain HTTP."""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, Field, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from cairn.db import Principal
from cairn.kit import Problem
from cairn.realtime.broadcast import publish
from cairn.realtime.channels import PREFIX
from cairn.realtime.context import RealtimeContext
from cairn.realtime.errors import ApiKeyMissing, FrameTooLarge, InvalidBroadcast, TooManyMessages
from cairn.realtime.permission import permissions
from cairn.realtime.socket import serve

Parsed = TypeVar("Parsed", bound=BaseModel)


class Sending(BaseModel, frozen=True):
    topic: str = Field(min_length=1, max_length=255)
    event: str = Field(min_length=1, max_length=255)
    payload: Any
    private: bool = False


class Sendings(BaseModel, frozen=True):
    messages: list[Sending] = Field(max_length=1000)


def routes(context: RealtimeContext) -> Starlette:
    async def websocket(socket: WebSocket) -> None:
        await serve(context, socket)

    async def broadcast_many(request: Request, caller: Principal) -> None:
        await _send(context, caller, _parsed(Sendings, await _json(context, request)).messages)

    async def broadcast_one(request: Request, caller: Principal) -> None:
        is_binary = request.headers.get("content-type", "").startswith("application/octet-stream")
        payload = await _body(context, request) if is_binary else await _json(context, request)
        private = request.query_params.get("private") == "true"
        await _send(
            context, caller, [_parsed(Sending, {**request.path_params, "payload": payload, "private": private})]
        )

    return Starlette(
        routes=[
            WebSocketRoute("/websocket", websocket),
            Route("/api/broadcast", _answering(context, broadcast_many), methods=["POST"]),
            Route("/api/broadcast/{topic:path}/events/{event}", _answering(context, broadcast_one), methods=["POST"]),
        ]
    )


def _answering(
    context: RealtimeContext, act: Callable[[Request, Principal], Awaitable[None]]
) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            await act(request, context.caller(_token(request)))
        except InvalidBroadcast as refused:
            return JSONResponse({"errors": refused.errors}, refused.status)
        except Problem as refused:
            return JSONResponse({"error": str(refused)}, refused.status)
        return Response(status_code=202)

    return answer


def _token(request: Request) -> str:
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    token = bearer or request.headers.get("apikey") or request.query_params.get("apikey")
    if not token:
        raise ApiKeyMissing
    return token


async def _body(context: RealtimeContext, request: Request) -> bytes:
    """Read piece by piece, so that a body too large is refused before it is in memory."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > context.settings.max_frame_bytes:
            raise FrameTooLarge
    return body


async def _json(context: RealtimeContext, request: Request) -> Any:
    try:
        return json.loads(await _body(context, request))
    except (ValueError, RecursionError) as broken:
        raise InvalidBroadcast({"body": ["is not JSON"]}) from broken


def _parsed(model: type[Parsed], body: Any) -> Parsed:
    try:
        return model.model_validate(body)
    except ValidationError as unreadable:
        errors = {".".join(map(str, error["loc"])) or "body": [error["msg"]] for error in unreadable.errors()}
        raise InvalidBroadcast(errors) from unreadable


async def _send(context: RealtimeContext, caller: Principal, sendings: Sequence[Sending]) -> None:
    if not context.http_messages.take(len(sendings)):
        raise TooManyMessages
    for sending in sendings:
        # Not permitted: dropped without a word, as on a socket.
        if sending.private and not (await permissions(context.database, caller, sending.topic)).broadcasts:
            continue
        message = {"type": "broadcast", "event": sending.event, "payload": sending.payload}
        publish(context.channels, context.relay, (PREFIX + sending.topic, sending.private), message)
