"""Requires a project key in front of the services."""

from starlette.datastructures import QueryParams
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from cairn.auth.errors import BadToken
from cairn.auth.tokens.keyring import Keyring

# No key is required for links in emails, redirects back from a provider, and documents that monitors and other servers
# read: a browser that follows a link sends no API key header.
OPEN_LINKS = frozenset(
    f"/auth/v1/{name}"
    for name in (
        "verify",
        "callback",
        "authorize",
        "sso/saml/metadata",
        ".well-known/jwks.json",
        ".well-known/openid-configuration",
        "health",
    )
)
# An identity provider makes the browser post this form.
OPEN_FORMS = frozenset({"/auth/v1/sso/saml/acs"})

# URLs of public files, and signed URLs, whose token replaces the key. The storage service still checks the bucket or
# the token.
_FILES = "/storage/v1/"
_READING, _UPLOADING, _ANY = ("GET", "HEAD"), ("PUT",), ("POST", "HEAD", "PATCH", "DELETE")
OPEN_FOLDERS = {
    "/storage/v1/object/public/": _READING,
    "/storage/v1/object/info/public/": _READING,
    "/storage/v1/object/sign/": _READING,
    "/storage/v1/render/image/public/": _READING,
    "/storage/v1/render/image/sign/": _READING,
    "/storage/v1/object/upload/sign/": _UPLOADING,
    "/storage/v1/upload/resumable/sign/": _ANY,
}

MISSING = {
    "message": "No API key found in request",
    "hint": "No `apikey` request header or url param was found.",
}
INVALID = {
    "message": "Invalid API key",
    "hint": "Double check your API key: `cairn keys` prints the two that are valid.",
}


class ApiKeyGate:
    """Wraps the guarded application. `required=False` also accepts requests without a key, but never a wrong key."""

    def __init__(self, app: ASGIApp, keyring: Keyring, required: bool = True) -> None:
        self._app = app
        self._keyring = keyring
        self._required = required

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        error = self._error(scope)
        if error is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
            await error(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": INVALID["message"]})

    def _error(self, scope: Scope) -> Response | None:
        if scope["type"] not in ("http", "websocket") or _is_open(scope):
            return None
        key = _given_key(scope)
        if key is None:
            return JSONResponse(MISSING, 401) if self._required else None
        return None if self._is_project_key(key) else JSONResponse(INVALID, 401)

    def _is_project_key(self, key: str) -> bool:
        """A valid token without a user; the access token of a user is not a project key."""
        if key in self._keyring.project_keys:
            return True
        try:
            return self._keyring.principal(key).user_id is None
        except BadToken:
            return False


def _is_open(scope: Scope) -> bool:
    if scope["type"] == "websocket":
        return False
    method, path = scope["method"], scope["path"]
    if method == "OPTIONS" or (method in _READING and path in OPEN_LINKS) or (method == "POST" and path in OPEN_FORMS):
        return True
    if not path.startswith(_FILES):
        return False
    return any(f"{path}/".startswith(folder) and method in methods for folder, methods in OPEN_FOLDERS.items())


def _given_key(scope: Scope) -> str | None:
    for name, value in scope["headers"]:
        if name == b"apikey" and value:
            return str(value, "latin-1")
    return QueryParams(scope["query_string"]).get("apikey") or None
