"""The gate in front of the services: whoever calls names the project by one of its keys."""

from starlette.datastructures import QueryParams
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from cairn.auth.errors import BadToken
from cairn.auth.tokens.keyring import Keyring

# Links that people open from a mail or come back to from a provider, and what monitors and other servers read:
# a browser's address bar sends no header.
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
# What an identity provider lets the browser post.
OPEN_FORMS = frozenset({"/auth/v1/sso/saml/acs"})

# Addresses of files that are handed out to be opened as they are: public ones, and signed ones, whose token is the key.
# Each is answered by the file service only as far as the bucket or the token allows.
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
    """Wraps what is to be guarded. `required=False` also lets calls pass that name no key; a wrong one never does."""

    def __init__(self, app: ASGIApp, keyring: Keyring, required: bool = True) -> None:
        self._app = app
        self._keyring = keyring
        self._required = required

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
            await refusal(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": INVALID["message"]})

    def _refusal(self, scope: Scope) -> Response | None:
        if scope["type"] not in ("http", "websocket") or _is_open(scope):
            return None
        key = _named_key(scope)
        if key is None:
            return JSONResponse(MISSING, 401) if self._required else None
        return None if self._is_project_key(key) else JSONResponse(INVALID, 401)

    def _is_project_key(self, key: str) -> bool:
        """Genuine, and nobody's own: a person's token does not open the project."""
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


def _named_key(scope: Scope) -> str | None:
    for name, value in scope["headers"]:
        if name == b"apikey" and value:
            return str(value, "latin-1")
    return QueryParams(scope["query_string"]).get("apikey") or None
