"""Chooses the service by the first part of the path."""

from collections.abc import Mapping

from starlette.types import ASGIApp, Receive, Scope, Send


class ServiceRouter:
    """Like Starlette's `Mount`, but with a plain prefix test: regular expressions would cost time on every request."""

    def __init__(self, services: Mapping[str, ASGIApp], *, otherwise: ASGIApp) -> None:
        self._services = [(f"{prefix}/", prefix, app) for prefix, app in services.items()]
        self._otherwise = otherwise

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        for start, prefix, app in self._services:
            if path.startswith(start):
                await app({**scope, "root_path": prefix}, receive, send)
                return
        await self._otherwise(scope, receive, send)
