"""Gives each request an id, which is in the response and in every line that the request writes to the log."""

from contextvars import ContextVar
from uuid import uuid4

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_request_id: ContextVar[str] = ContextVar("request_id", default="")
_MESSAGES_WITH_HEADERS = frozenset({"http.response.start", "websocket.accept", "websocket.http.response.start"})


def current_request_id() -> str:
    """Returns the id of the request that the calling task belongs to, or an empty string outside of requests."""
    return _request_id.get()


class RequestIds:
    """Wraps the whole application.

    An id that the client sends is ignored, because it could imitate that of another request. The id is not reset after
    the response, so that it is also in what the web server logs about an error. Each request runs in its own task.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = uuid4().hex
        _request_id.set(request_id)
        header = (b"x-request-id", request_id.encode())

        async def send_with_id(message: Message) -> None:
            if message["type"] in _MESSAGES_WITH_HEADERS:
                message["headers"] = [*message.get("headers", ()), header]
            await send(message)

        await self._app(scope, receive, send_with_id)
