"""Redirects plain HTTP to HTTPS when the site URL is an HTTPS URL."""

from starlette.datastructures import URL, Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class HttpsOnly:
    """Redirects requests that reached the proxy over plain HTTP. Requests without a proxy are not redirected."""

    def __init__(self, app: ASGIApp, *, site_url: str) -> None:
        self._app = app
        self._site = URL(site_url)
        self._is_required = self._site.scheme == "https"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._is_required or scope["type"] != "http" or not _reached_proxy_over_http(scope):
            await self._app(scope, receive, send)
            return
        https_url = URL(scope=scope).replace(scheme="https", netloc=self._site.netloc)
        # With status 308 the client repeats the request with the same method and body.
        await RedirectResponse(str(https_url), 308)(scope, receive, send)


def _reached_proxy_over_http(scope: Scope) -> bool:
    return Headers(scope=scope).get("x-forwarded-proto", "").split(",")[0].strip() == "http"
