"""The routes of `/realtime/v1`: the websocket, and broadcasting by HTTP."""

import math
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, Field, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from cairn.db import SERVICE, Principal
from cairn.kit import TRUSTED_SENDER, Problem, parse_json, read_body, retry_headers
from cairn.limits import larger_network_of, network_of
from cairn.realtime.broadcast import publish
from cairn.realtime.channels import TOPIC_PREFIX
from cairn.realtime.context import RealtimeContext
from cairn.realtime.errors import ApiKeyMissing, FrameTooLarge, InvalidBroadcast, TooManyMessages, TooManyPrivateTopics
from cairn.realtime.permission import permissions_for
from cairn.realtime.socket import serve

Model = TypeVar("Model", bound=BaseModel)

# One request may contain at most this many private topics, because the permission for each is read from the database.
_MAX_PRIVATE_TOPICS = 10


class BroadcastRequest(BaseModel, frozen=True):
    topic: str = Field(min_length=1, max_length=255)
    event: str = Field(min_length=1, max_length=255)
    payload: Any
    private: bool = False


class BroadcastBatch(BaseModel, frozen=True):
    messages: list[BroadcastRequest] = Field(max_length=1000, fail_fast=True)


def routes(context: RealtimeContext) -> Starlette:
    async def websocket(socket: WebSocket) -> None:
        await serve(context, socket)

    async def broadcast_many(request: Request, caller: Principal) -> None:
        batch = _parse(BroadcastBatch, await _read_json(context, request, caller))
        await _publish_all(context, request, caller, batch.messages)

    async def broadcast_one(request: Request, caller: Principal) -> None:
        is_binary = request.headers.get("content-type", "").startswith("application/octet-stream")
        payload = await (_read_body if is_binary else _read_json)(context, request, caller)
        private = request.query_params.get("private") == "true"
        broadcast = {**request.path_params, "payload": payload, "private": private}
        await _publish_all(context, request, caller, [_parse(BroadcastRequest, broadcast)])

    return Starlette(
        routes=[
            WebSocketRoute("/websocket", websocket),
            Route("/api/broadcast", _endpoint(context, broadcast_many), methods=["POST"]),
            Route("/api/broadcast/{topic:path}/events/{event}", _endpoint(context, broadcast_one), methods=["POST"]),
        ]
    )


def _endpoint(
    context: RealtimeContext, handler: Callable[[Request, Principal], Awaitable[None]]
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            await handler(request, context.authenticate(_token(request)))
        except InvalidBroadcast as problem:
            return JSONResponse({"errors": problem.errors}, problem.status)
        except Problem as problem:
            return JSONResponse({"error": str(problem)}, problem.status, retry_headers(problem))
        return Response(status_code=202)

    return endpoint


def _token(request: Request) -> str:
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    token = bearer or request.headers.get("apikey") or request.query_params.get("apikey")
    if not token:
        raise ApiKeyMissing
    return token


async def _read_body(context: RealtimeContext, request: Request, caller: Principal) -> bytes:
    max_bytes = context.settings.max_frame_bytes
    sender = TRUSTED_SENDER if caller.role == SERVICE.role else larger_network_of(_ip(request))
    body = bytes(await read_body(request.receive, max_bytes=max_bytes, sender=sender, too_large=FrameTooLarge()))
    if caller.role != SERVICE.role:
        if (wait_seconds := context.limits.take_message(_network(request))) is not None:
            raise TooManyMessages(retry_after_seconds=math.ceil(wait_seconds))
        context.limits.count_received(_network(request), body)
    return body


async def _read_json(context: RealtimeContext, request: Request, caller: Principal) -> Any:
    body = await _read_body(context, request, caller)
    try:
        return parse_json(body)
    except ValueError as error:
        raise InvalidBroadcast({"body": ["is not JSON"]}) from error


def _parse(model: type[Model], body: Any) -> Model:
    try:
        return model.model_validate(body)
    except ValidationError as invalid:
        errors = {
            ".".join(map(str, error["loc"])) or "body": [error["msg"]] for error in invalid.errors(include_input=False)
        }
        raise InvalidBroadcast(errors) from invalid


def _network(request: Request) -> str:
    return network_of(_ip(request))


def _ip(request: Request) -> str | None:
    return request.client and request.client.host


async def _publish_all(
    context: RealtimeContext, request: Request, caller: Principal, broadcasts: Sequence[BroadcastRequest]
) -> None:
    _count_broadcasts(context, request, caller, len(broadcasts))
    permitted_topics = await _permitted_topics(context, _network(request), caller, broadcasts)
    for broadcast in broadcasts:
        # A broadcast without permission is dropped silently, as on a socket.
        if broadcast.private and broadcast.topic not in permitted_topics:
            continue
        message = {"type": "broadcast", "event": broadcast.event, "payload": broadcast.payload}
        key = TOPIC_PREFIX + broadcast.topic, broadcast.private
        await publish(context, caller, _network(request), key, message)


def _count_broadcasts(context: RealtimeContext, request: Request, caller: Principal, count: int) -> None:
    """Counts for the network first, so that its refused messages do not use up the limit for all networks together."""
    if caller.role != SERVICE.role:
        wait_seconds = context.http_messages_of_network.take(_network(request), count)
        if wait_seconds is not None:
            raise TooManyMessages(retry_after_seconds=math.ceil(wait_seconds))
    if not context.http_messages.try_take(count):
        raise TooManyMessages


async def _permitted_topics(
    context: RealtimeContext, network: str, caller: Principal, broadcasts: Sequence[BroadcastRequest]
) -> set[str]:
    """Returns those private topics of the broadcasts to which the caller may send. Each topic is checked once."""
    topics = {broadcast.topic for broadcast in broadcasts if broadcast.private}
    if len(topics) > _MAX_PRIVATE_TOPICS and caller.role != SERVICE.role:
        raise TooManyPrivateTopics(limit=_MAX_PRIVATE_TOPICS)
    permissions = {topic: await permissions_for(context, caller, network, topic) for topic in topics}
    return {topic for topic in topics if permissions[topic].sends_broadcasts}
