"""Only over https, once the service has such an address."""

from starlette.datastructures import URL, Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class HttpsOnly:
    """Sends on whoever came to the proxy in the clear. What does not come through a proxy comes from this machine."""

    def __init__(self, app: ASGIApp, *, site_url: str) -> None:
        self._app = app
        self._home = URL(site_url)
        self._insists = self._home.scheme == "https"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._insists or scope["type"] != "http" or not _came_in_the_clear(scope):
            await self._app(scope, receive, send)
            return
        secure = URL(scope=scope).replace(scheme="https", netloc=self._home.netloc)
        # 308: the same request again, body and all.
        await RedirectResponse(str(secure), 308)(scope, receive, send)


def _came_in_the_clear(scope: Scope) -> bool:
    return Headers(scope=scope).get("x-forwarded-proto", "").split(",")[0].strip() == "http"
