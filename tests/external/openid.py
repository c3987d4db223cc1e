"""An OpenID provider with discovery, a sign-in page, PKCE codes, ID tokens and replaceable signing keys."""

import html
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from functools import cache
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
    """Returns the claims of the account with this address, which is verified unless it contains `unverified`."""
    return {
        "sub": sha256(email.encode()).hexdigest()[:21],
        "email": email,
        "email_verified": "unverified" not in email,
        "name": email.partition("@")[0].title(),
        "picture": f"https://pictures.example/{email}.png",
    }


@cache
def first_key() -> RSAKey:
    """Returns the key with which each provider starts. Generating another one for each test would take 70 ms."""
    return RSAKey.generate_key(2048, {"kid": token_urlsafe(6)})


@dataclass
class OpenIdProvider:
    issuer: str
    key: RSAKey = field(default_factory=first_key)
    # The parameters of each authorization request, by the code issued for it.
    requests_by_code: dict[str, dict[str, str]] = field(default_factory=dict)
    # The account that is signed in when the request has no `login_hint`.
    default_email: str = "gil@example.com"
    # Claims that replace the correct ones, so that a test can send an invalid response.
    overrides: dict[str, Any] = field(default_factory=dict)

    def change_key(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": token_urlsafe(6)})

    def id_token(self, email: str, *, audience: str = CLIENT_ID, key: RSAKey | None = None, **claims: Any) -> str:
        now = int(time())
        payload = {"iss": self.issuer, "aud": audience, "iat": now, "exp": now + 300, **claims_of(email), **claims}
        claims_with_value = {name: value for name, value in payload.items() if value is not None}
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims_with_value, key or self.key)

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
        paths = {
            "authorization_endpoint": "authorize",
            "token_endpoint": "token",
            "userinfo_endpoint": "userinfo",
            "jwks_uri": "jwks",
        }
        return JSONResponse({"issuer": self.issuer, **{name: f"{self.issuer}/{path}" for name, path in paths.items()}})

    async def authorize(self, request: Request) -> Response:
        """Shows a page with one link to accept and one to cancel."""
        parameters = dict(request.query_params)
        if parameters.get("client_id") != CLIENT_ID or parameters.get("code_challenge_method") != "S256":
            return PlainTextResponse("unknown client", 400)
        code = token_urlsafe(16)
        self.requests_by_code[code] = parameters
        redirect_uri, state = parameters["redirect_uri"], parameters["state"]
        accept_url = f"{redirect_uri}?{urlencode({'code': code, 'state': state})}"
        denial = {"error": "access_denied", "error_description": "The person said no", "state": state}
        return HTMLResponse(
            f"<title>OpenID provider</title><h1>Sign in to Cairn?</h1>"
            f'<a id="yes" href="{html.escape(accept_url)}">Continue as {html.escape(self._email_of(parameters))}</a> '
            f'<a id="no" href="{html.escape(f"{redirect_uri}?{urlencode(denial)}")}">Cancel</a>'
        )

    async def token(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode()))
        parameters = self.requests_by_code.pop(form.get("code", ""), None)
        challenge = urlsafe_b64encode(sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
        if parameters is None or (parameters["redirect_uri"], parameters["code_challenge"]) != (
            form.get("redirect_uri"),
            challenge,
        ):
            return JSONResponse({"error": "invalid_grant"}, 400)
        if (form.get("client_id"), form.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return JSONResponse({"error": "invalid_client"}, 401)
        email = self._email_of(parameters)
        tokens = {"access_token": f"access-{email}", "refresh_token": f"refresh-{email}", "token_type": "Bearer"}
        claims = {"nonce": parameters["nonce"], **self.overrides}
        return JSONResponse({**tokens, "id_token": self.id_token(email, **claims)})

    async def userinfo(self, request: Request) -> Response:
        email = request.headers["authorization"].removeprefix("Bearer access-")
        return JSONResponse({**claims_of(email), **self.overrides.get("userinfo", {})})

    async def jwks(self, _: Request) -> Response:
        return JSONResponse({"keys": [self.key.as_dict(private=False)]})

    async def mint(self, request: Request) -> Response:
        """Returns an ID token like the one a mobile app gets from the sign-in of its platform."""
        claims: dict[str, Any] = dict(request.query_params)
        return PlainTextResponse(self.id_token(claims.pop("email"), **claims))

    def _email_of(self, parameters: dict[str, str]) -> str:
        return parameters.get("login_hint", self.default_email)
