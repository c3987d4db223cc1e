"""Adds CORS headers to every response. Without them on errors, a browser reports an error as a network failure."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
_REQUEST_HEADERS = (
    "authorization, x-client-info, apikey, content-type, x-retry-count, accept-profile, content-profile, prefer, "
    "range, range-unit, x-supabase-api-version, x-upsert, cache-control, x-metadata, x-region, x-signature, "
    "tus-resumable, upload-length, upload-metadata, upload-offset, upload-expires, traceparent, tracestate, baggage"
)
_RESPONSE_HEADERS = (
    "content-range, content-location, location, range-unit, x-total-count, link, x-supabase-api-version, "
    "x-relay-error, x-transformations, preference-applied, retry-after, upload-offset, tus-resumable, "
    "tus-extension, tus-version, tus-max-size, x-request-id"
)
_CORS_HEADERS = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", _RESPONSE_HEADERS.encode()),
)


class Cors:
    """Allows every origin. This is safe because the services identify callers by key and token, never by cookie."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["method"] == "OPTIONS":
            headers = Headers(scope=scope)
            if "access-control-request-method" in headers:
                await self._preflight(headers.get("access-control-request-headers", ""), send)
                return

        async def send_with_cors(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_CORS_HEADERS]
            await send(message)

        await self._app(scope, receive, send_with_cors)

    async def _preflight(self, requested_headers: str, send: Send) -> None:
        allowed_headers = dict.fromkeys([*_REQUEST_HEADERS.split(", "), *_header_names(requested_headers)])
        headers = {
            "access-control-allow-origin": "*",
            "access-control-allow-methods": _METHODS,
            "access-control-allow-headers": ", ".join(allowed_headers),
            "access-control-max-age": "3600",
        }
        raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 204, "headers": raw})
        await send({"type": "http.response.body", "body": b""})


def _header_names(header: str) -> list[str]:
    return [name for part in header.lower().split(",") if (name := part.strip())]
