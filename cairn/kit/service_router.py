"""Chooses the service by the start of the path."""

from collections.abc import Mapping

from starlette.types import ASGIApp, Receive, Scope, Send


class ServiceRouter:
    """Works like Starlette's `Mount`, but compares prefixes. Regular expressions would cost time on every request.

    Only the service at `websockets` gets websockets. For all others, an upgrade would be a server error.
    """

    def __init__(self, services: Mapping[str, ASGIApp], *, fallback: ASGIApp, websockets: str = "") -> None:
        self._services = [(f"{prefix}/", prefix, app) for prefix, app in services.items()]
        self._fallback = fallback
        self._websockets = f"{websockets}/"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if scope["type"] == "websocket" and not path.startswith(self._websockets):
            await send({"type": "websocket.close", "code": 1008})
            return
        for path_start, prefix, app in self._services:
            if path.startswith(path_start):
                await app({**scope, "root_path": prefix}, receive, send)
                return
        await self._fallback(scope, receive, send)
