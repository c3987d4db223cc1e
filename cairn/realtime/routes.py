"""The doors of `/realtime/v1`: the socket, and broadcasting by plain HTTP."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pydantic import BaseModel, Field, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from cairn.kit import Problem
from cairn.realtime.broadcast import spread
from cairn.realtime.channels import PREFIX
from cairn.realtime.errors import ApiKeyMissing, BroadcastUnreadable, FrameTooLarge
from cairn.realtime.socket import serve
from cairn.realtime.switchboard import Switchboard

Parsed = TypeVar("Parsed", bound=BaseModel)


class Sending(BaseModel, frozen=True):
    topic: str = Field(min_length=1, max_length=255)
    event: str = Field(min_length=1, max_length=255)
    payload: Any
    private: bool = False


class Sendings(BaseModel, frozen=True):
    messages: list[Sending] = Field(max_length=1000)


def routes(board: Switchboard) -> Starlette:
    async def websocket(socket: WebSocket) -> None:
        await serve(board, socket)

    async def broadcast_many(request: Request) -> None:
        for sending in _parsed(Sendings, await _json(board, request)).messages:
            _send(board, sending)

    async def broadcast_one(request: Request) -> None:
        is_binary = request.headers.get("content-type", "").startswith("application/octet-stream")
        payload = await _body(board, request) if is_binary else await _json(board, request)
        private = request.query_params.get("private") == "true"
        _send(board, _parsed(Sending, {**request.path_params, "payload": payload, "private": private}))

    return Starlette(
        routes=[
            WebSocketRoute("/websocket", websocket),
            Route("/api/broadcast", _answering(board, broadcast_many), methods=["POST"]),
            Route("/api/broadcast/{topic}/events/{event}", _answering(board, broadcast_one), methods=["POST"]),
        ]
    )


def _answering(
    board: Switchboard, act: Callable[[Request], Awaitable[None]]
) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            board.caller(_token(request))
            await act(request)
        except BroadcastUnreadable as refused:
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


async def _body(board: Switchboard, request: Request) -> bytes:
    """Read piece by piece, so that a body too large is refused before it is in memory."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > board.settings.max_frame_bytes:
            raise FrameTooLarge
    return body


async def _json(board: Switchboard, request: Request) -> Any:
    try:
        return json.loads(await _body(board, request))
    except (ValueError, RecursionError) as broken:
        raise BroadcastUnreadable({"body": ["is not JSON"]}) from broken


def _parsed(model: type[Parsed], body: Any) -> Parsed:
    try:
        return model.model_validate(body)
    except ValidationError as unreadable:
        errors = {".".join(map(str, error["loc"])) or "body": [error["msg"]] for error in unreadable.errors()}
        raise BroadcastUnreadable(errors) from unreadable


def _send(board: Switchboard, sending: Sending) -> None:
    # Nobody is permitted to join a private topic yet, and a public one of the same name is another topic.
    if not sending.private:
        payload = {"type": "broadcast", "event": sending.event, "payload": sending.payload}
        spread(board.channels, PREFIX + sending.topic, payload)
