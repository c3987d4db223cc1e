"""Ends a request silently if its client has gone away before the body was complete."""

import logging
from contextlib import suppress

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from cairn.kit.error_responses import loggable_path

log = logging.getLogger(__name__)


class QuietDisconnects:
    """Wraps the whole application. A client that goes away is no error, so the log gets no stack trace."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with suppress(ClientDisconnect):
            await self._app(scope, receive, send)


async def handle_disconnect(request: Request, _: Exception) -> Response:
    """Handles ClientDisconnect in services that would otherwise log it as a bug. No one receives the response."""
    log.info("%s %r was aborted by the client", request.method, loggable_path(request))
    return Response(status_code=400)
