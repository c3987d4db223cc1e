"""Limits how many requests one network may have open at once.

`slow_clients` limits connections, but a trusted proxy sends the requests of all clients over its own connections. Only
a request says for which client it is made: the middleware of uvicorn puts the address from `X-Forwarded-For` into its
scope.
"""

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import _TrustedHosts

from cairn.limits import NetworkCounter, network_of
from cairn.slow_clients import TooManyConnections


class LimitedRequests:
    def __init__(self, app: ASGIApp, per_network: int, trusted_proxies: str) -> None:
        self._app = app
        self._open_requests = NetworkCounter(per_network)
        self._trusted = _TrustedHosts(trusted_proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Sockets have their own limits, in `realtime`.
        network = self._network(scope) if scope["type"] == "http" else None
        if network is None:
            await self._app(scope, receive, send)
            return
        if not self._open_requests.add(network):
            await _refusal(TooManyConnections())(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._open_requests.remove(network)

    def _network(self, scope: Scope) -> str | None:
        """Returns None for a request that is not limited, because a trusted proxy makes it for itself."""
        client = scope.get("client")
        if not client or (client[0] in self._trusted and not self._trusted.always_trust):
            return None
        return network_of(client[0])


def _refusal(problem: TooManyConnections) -> JSONResponse:
    return JSONResponse({"code": problem.code, "message": str(problem)}, problem.status, {"Retry-After": "10"})
