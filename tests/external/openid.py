"""An OpenID provider: discovery, a page to sign in on, codes with PKCE, id tokens, keys that can be changed."""

import html
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_urlsafe
from time import time
from typing import Any
from urllib.parse import parse_qsl, urlencode

from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

CLIENT_ID, CLIENT_SECRET = "cairn-in-tests", "only for tests"
APP_CLIENT_ID = "a-phone-app-of-cairn"


def claims_of(email: str) -> dict[str, Any]:
    """Everybody has an account here. An address with `unverified` in it was never proven."""
    return {
        "sub": sha256(email.encode()).hexdigest()[:21],
        "email": email,
        "email_verified": "unverified" not in email,
        "name": email.partition("@")[0].title(),
        "picture": f"https://pictures.example/{email}.png",
    }


@dataclass
class OpenIdElsewhere:
    issuer: str
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": token_urlsafe(6)}))
    asked: dict[str, dict[str, str]] = field(default_factory=dict)
    # Who sits there, when nobody is named.
    visitor: str = "gil@example.com"
    # What is wrong with the next answer, if anything.
    lie: dict[str, Any] = field(default_factory=dict)

    def change_key(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": token_urlsafe(6)})

    def id_token(self, email: str, *, audience: str = CLIENT_ID, key: RSAKey | None = None, **claims: Any) -> str:
        moment = int(time())
        whole = {"iss": self.issuer, "aud": audience, "iat": moment, "exp": moment + 300, **claims_of(email), **claims}
        told = {name: value for name, value in whole.items() if value is not None}
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, told, key or self.key)

    def routes(self) -> list[Route]:
        return [
            Route("/.well-known/openid-configuration", self.discovery),
            Route("/authorize", self.authorize),
            Route("/token", self.token, methods=["POST"]),
            Route("/userinfo", self.userinfo),
            Route("/jwks", self.jwks),
            Route("/mint", self.mint),
        ]

    async def discovery(self, _: Request) -> Response:
        pages = {
            "authorization_endpoint": "authorize",
            "token_endpoint": "token",
            "userinfo_endpoint": "userinfo",
            "jwks_uri": "jwks",
        }
        return JSONResponse({"issuer": self.issuer, **{name: f"{self.issuer}/{page}" for name, page in pages.items()}})

    async def authorize(self, request: Request) -> Response:
        """A page with one button each for yes and no."""
        asked = dict(request.query_params)
        if asked.get("client_id") != CLIENT_ID or asked.get("code_challenge_method") != "S256":
            return PlainTextResponse("unknown client", 400)
        code = token_urlsafe(16)
        self.asked[code] = asked
        back = asked["redirect_uri"]
        yes = f"{back}?{urlencode({'code': code, 'state': asked['state']})}"
        refused = {"error": "access_denied", "error_description": "The person said no", "state": asked["state"]}
        return HTMLResponse(
            f"<title>Elsewhere</title><h1>Sign in to Cairn?</h1>"
            f'<a id="yes" href="{html.escape(yes)}">Continue as {html.escape(self._who(asked))}</a> '
            f'<a id="no" href="{html.escape(f"{back}?{urlencode(refused)}")}">Cancel</a>'
        )

    async def token(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode()))
        asked = self.asked.pop(form.get("code", ""), None)
        challenge = urlsafe_b64encode(sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
        if asked is None or asked["redirect_uri"] != form.get("redirect_uri") or asked["code_challenge"] != challenge:
            return JSONResponse({"error": "invalid_grant"}, 400)
        if (form.get("client_id"), form.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return JSONResponse({"error": "invalid_client"}, 401)
        email = self._who(asked)
        tokens = {"access_token": f"access-{email}", "refresh_token": f"refresh-{email}", "token_type": "Bearer"}
        return JSONResponse({**tokens, "id_token": self.id_token(email, **{"nonce": asked["nonce"], **self.lie})})

    async def userinfo(self, request: Request) -> Response:
        email = request.headers["authorization"].removeprefix("Bearer access-")
        return JSONResponse({**claims_of(email), **self.lie.get("userinfo", {})})

    async def jwks(self, _: Request) -> Response:
        return JSONResponse({"keys": [self.key.as_dict(private=False)]})

    async def mint(self, request: Request) -> Response:
        """An id token as an app gets it from the telephone's own sign-in."""
        wanted: dict[str, Any] = dict(request.query_params)
        return PlainTextResponse(self.id_token(wanted.pop("email"), **wanted))

    def _who(self, asked: dict[str, str]) -> str:
        return asked.get("login_hint", self.visitor)
