"""Which service answers, told by how the path begins."""

from collections.abc import Mapping

from starlette.types import ASGIApp, Receive, Scope, Send


class ServiceRouter:
    """As Starlette mounts applications, without its regular expressions and layers, which every request would pay."""

    def __init__(self, doors: Mapping[str, ASGIApp], *, otherwise: ASGIApp) -> None:
        self._doors = [(f"{prefix}/", prefix, app) for prefix, app in doors.items()]
        self._otherwise = otherwise

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        for beginning, prefix, app in self._doors:
            if path.startswith(beginning):
                await app({**scope, "root_path": prefix}, receive, send)
                return
        await self._otherwise(scope, receive, send)
