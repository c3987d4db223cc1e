"""Requires a project key for every request to the services, apart from a few public paths."""

from urllib.parse import unquote_plus

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from cairn.auth.errors import BadToken
from cairn.auth.tokens.keyring import Keyring

# These paths need no key: a browser that follows a link or a redirect cannot send the header `apikey`, and monitors and
# other servers have no key.
PUBLIC_READ_PATHS = frozenset(
    f"/auth/v1/{name}"
    for name in ("verify", "callback", "authorize", "sso/saml/metadata", ".well-known/jwks.json",
                 ".well-known/openid-configuration", "health")
)  # fmt: skip
# The browser posts this form when it returns from an identity provider, also without a key.
PUBLIC_FORM_PATHS = frozenset({"/auth/v1/sso/saml/acs"})

_MAX_KEY_BYTES = 2048
_STORAGE = "/storage/v1/"
_READ_METHODS = ("GET", "HEAD")
_UPLOAD_METHODS = ("PUT",)
_RESUMABLE_UPLOAD_METHODS = ("POST", "HEAD", "PATCH", "DELETE")
# Public files need no key, and a signed URL contains a token instead of a key. The storage service checks that the
# bucket is public or the token is valid.
PUBLIC_FOLDERS = {
    "/storage/v1/object/public/": _READ_METHODS,
    "/storage/v1/object/info/public/": _READ_METHODS,
    "/storage/v1/object/sign/": _READ_METHODS,
    "/storage/v1/render/image/public/": _READ_METHODS,
    "/storage/v1/render/image/sign/": _READ_METHODS,
    "/storage/v1/object/upload/sign/": _UPLOAD_METHODS,
    "/storage/v1/upload/resumable/sign/": _RESUMABLE_UPLOAD_METHODS,
}

KEY_MISSING = {
    "message": "No API key found in request",
    "hint": "No `apikey` request header or url param was found.",
}
KEY_INVALID = {
    "message": "Invalid API key",
    "hint": "Double check your API key: `cairn keys` prints the two that are valid.",
}


class ApiKeyGate:
    """Wraps an application. `required=False` also accepts requests without a key, but never a wrong key."""

    def __init__(self, app: ASGIApp, keyring: Keyring, required: bool = True) -> None:
        self._app = app
        self._keyring = keyring
        self._required = required

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        error = self._error_response(scope)
        if error is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
            await error(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": KEY_INVALID["message"]})

    def _error_response(self, scope: Scope) -> Response | None:
        if scope["type"] not in ("http", "websocket") or _is_public(scope):
            return None
        key = _api_key(scope)
        if key is None:
            return JSONResponse(KEY_MISSING, 401) if self._required else None
        return None if self._is_project_key(key) else JSONResponse(KEY_INVALID, 401)

    def _is_project_key(self, key: str) -> bool:
        """Accepts any valid token that does not belong to a user."""
        if key in self._keyring.project_keys:
            return True
        try:
            return self._keyring.principal(key).user_id is None
        except BadToken:
            return False


def _is_public(scope: Scope) -> bool:
    if scope["type"] == "websocket":
        return False
    method, path = scope["method"], scope["path"]
    if (
        method == "OPTIONS"
        or (method in _READ_METHODS and path in PUBLIC_READ_PATHS)
        or (method == "POST" and path in PUBLIC_FORM_PATHS)
    ):
        return True
    if not path.startswith(_STORAGE):
        return False
    return any(f"{path}/".startswith(folder) and method in methods for folder, methods in PUBLIC_FOLDERS.items())


def _api_key(scope: Scope) -> str | None:
    for name, value in scope["headers"]:
        if name == b"apikey" and value:
            return str(value, "latin-1")
    # Nothing is known about the caller yet, so the other parameters are not parsed.
    _, is_found, rest = (b"&" + scope["query_string"]).rpartition(b"&apikey=")
    key = rest.partition(b"&")[0] if is_found else b""
    return unquote_plus(key[:_MAX_KEY_BYTES].decode("latin-1")) or None
