"""Chooses the service by the start of the path."""

from collections.abc import Mapping

from starlette.types import ASGIApp, Receive, Scope, Send


class ServiceRouter:
    """Works like Starlette's `Mount`, but compares prefixes. Regular expressions would cost time on every request."""

    def __init__(self, services: Mapping[str, ASGIApp], *, fallback: ASGIApp) -> None:
        self._services = [(f"{prefix}/", prefix, app) for prefix, app in services.items()]
        self._fallback = fallback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        for path_start, prefix, app in self._services:
            if path.startswith(path_start):
                await app({**scope, "root_path": prefix}, receive, send)
                return
        await self._fallback(scope, receive, send)
