"""Adds the security headers that a response lacks, so that no page can be without a content security policy.

A response that needs more rights, such as a page of the app, sets its own policy.
"""

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_TWO_YEARS_SECONDS = 63_072_000
_DEFAULT_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
_HTTPS_ONLY = (b"strict-transport-security", f"max-age={_TWO_YEARS_SECONDS}; includeSubDomains".encode())


class SecurityHeaders:
    """Wraps the whole application. With an https `site_url`, it forbids browsers to use plain HTTP."""

    def __init__(self, app: ASGIApp, *, site_url: str) -> None:
        self._app = app
        self._defaults = (*_DEFAULT_HEADERS, _HTTPS_ONLY) if site_url.startswith("https://") else _DEFAULT_HEADERS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal is_started
            if message["type"] == "http.response.start":
                is_started = True
                headers = list(message.get("headers", ()))
                names = {name for name, _ in headers}
                message["headers"] = [*headers, *(header for header in self._defaults if header[0] not in names)]
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception:
            # The web server logs the error. Its own response would have no security headers.
            if not is_started:
                await PlainTextResponse("Internal Server Error", 500)(scope, receive, send_with_headers)
            raise
