from collections.abc import Awaitable, Callable, Iterator
from typing import TypeAlias

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

Handler: TypeAlias = Callable[[Request], Awaitable[Response]]


class Routes:
    """Collects the routes of a module. A decorator above each handler names its method and path.

    The first route that matches a request handles it. A handler for a fixed path must therefore stand above a handler
    whose path has a parameter in the same place.
    """

    def __init__(self) -> None:
        self._routes: list[Route] = []

    def __iter__(self) -> Iterator[Route]:
        return iter(self._routes)

    def get(self, path: str) -> Callable[[Handler], Handler]:
        """Adds a handler for GET requests, which also receives HEAD requests."""
        return self._add("GET", path)

    def post(self, path: str) -> Callable[[Handler], Handler]:
        return self._add("POST", path)

    def put(self, path: str) -> Callable[[Handler], Handler]:
        return self._add("PUT", path)

    def delete(self, path: str) -> Callable[[Handler], Handler]:
        return self._add("DELETE", path)

    def _add(self, method: str, path: str) -> Callable[[Handler], Handler]:
        def add(handler: Handler) -> Handler:
            self._routes.append(Route(path, handler, methods=[method]))
            return handler

        return add
