"""Calls an OpenID Connect provider. The discovery document of its issuer names the endpoints and keys."""

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx
from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.jwt import JWTClaimsRegistry
from pydantic import BaseModel, Field, ValidationError

from cairn.auth.errors import ProviderResponseInvalid, ProviderUnreachable
from cairn.auth.model import s256
from cairn.kit import default_ssl_context, frozen_dataclass

TIMEOUT_SECONDS = 10.0
# Keys change rarely, so they are cached. If none of them fits a token, they are fetched again, but not more often than
# every `KEY_REFRESH_SECONDS`.
CACHE_SECONDS = 600.0
KEY_REFRESH_SECONDS = 5.0
CLOCK_SKEW_SECONDS = 30
# The provider's reason for an error is truncated to this length.
MAX_REASON_LENGTH = 100
ALGORITHMS = ["RS256", "ES256"]
# The caller's extra parameters must not replace these parameters of the authorization request.
RESERVED_PARAMETERS = frozenset({
    "client_id", "client_secret", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce",
    "code_challenge", "code_challenge_method", "request", "request_uri",
})  # fmt: skip


class ProviderMetadata(BaseModel):
    """Has the fields of the discovery document that are used here."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None


class Tokens(BaseModel):
    id_token: str = Field(repr=False)
    access_token: str | None = Field(default=None, repr=False)
    refresh_token: str | None = Field(default=None, repr=False)


@frozen_dataclass
class ProviderSignIn:
    """The claims about the user, and the tokens for calling the provider's API on their behalf."""

    claims: Mapping[str, Any]
    access_token: str | None = field(repr=False)
    refresh_token: str | None = field(repr=False)


@dataclass(slots=True)
class OpenIdProvider:
    name: str
    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    further_client_ids: Sequence[str] = ()
    # These are the cached documents, each with the time when it was fetched.
    _metadata: tuple[float, ProviderMetadata] | None = None
    _keys: tuple[float, KeySet] | None = None

    async def authorization_url(
        self,
        *,
        redirect_uri: str,
        flow_id: str,
        nonce: str,
        verifier: str,
        scopes: str,
        extra_parameters: Mapping[str, str],
    ) -> str:
        metadata = await self._discover()
        parameters = {
            **{name: value for name, value in extra_parameters.items() if name not in RESERVED_PARAMETERS},
            "client_id": self.client_id,
            "redirect_uri": redirect_uri,
            "response_type": "code",
            "scope": " ".join(dict.fromkeys(f"openid email profile {scopes}".split())),
            "state": flow_id,
            "nonce": nonce,
            "code_challenge": s256(verifier),
            "code_challenge_method": "S256",
        }
        separator = "&" if urlsplit(metadata.authorization_endpoint).query else "?"
        return f"{metadata.authorization_endpoint}{separator}{urlencode(parameters)}"

    async def exchange_code(self, code: str, *, redirect_uri: str, nonce: str, verifier: str) -> ProviderSignIn:
        """Exchanges the authorization code for the claims of the user."""
        metadata = await self._discover()
        tokens = await self._fetch_tokens(metadata, code, redirect_uri, verifier)
        claims = await self.verify_id_token(tokens.id_token)
        if not secrets.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise ProviderResponseInvalid(reason="it answers another request")
        if metadata.userinfo_endpoint and tokens.access_token:
            claims = {
                **claims,
                **await self._fetch_user_info(claims["sub"], metadata.userinfo_endpoint, tokens.access_token),
            }
        return ProviderSignIn(claims, tokens.access_token, tokens.refresh_token)

    async def verify_id_token(self, id_token: str) -> dict[str, Any]:
        """Returns the claims of an id token that this provider issued for one of our clients.

        Claims are checked before the signature, so that a malformed token is refused without a request for the keys.
        """
        try:
            self._check_claims(_unverified_claims(id_token))
            return await self._decode(id_token)
        except (JoseError, ValueError, TypeError, RecursionError) as error:
            raise ProviderResponseInvalid(reason="the id token is not genuine or not for us") from error

    def _check_claims(self, claims: dict[str, Any]) -> None:
        registry = JWTClaimsRegistry(
            leeway=CLOCK_SKEW_SECONDS,
            # Google also uses its issuer without the scheme.
            iss={"essential": True, "values": [self.issuer, self.issuer.removeprefix("https://")]},
            aud={"essential": True, "values": [self.client_id, *self.further_client_ids]},
            exp={"essential": True},
            sub={"essential": True},
        )
        registry.validate(claims)
        if not isinstance(claims["sub"], str) or "\x00" in claims["sub"]:
            raise ProviderResponseInvalid(reason="it has no valid subject")

    async def _decode(self, id_token: str) -> dict[str, Any]:
        """Tries the cached keys first. If none of them fits, fetches the keys again."""
        keys = await self._fetch_keys(CACHE_SECONDS)
        try:
            return jwt.decode(id_token, keys, algorithms=ALGORITHMS).claims
        except (JoseError, ValueError):
            new_keys = await self._fetch_keys(KEY_REFRESH_SECONDS)
            if new_keys is keys:
                raise
            return jwt.decode(id_token, new_keys, algorithms=ALGORITHMS).claims

    async def _discover(self) -> ProviderMetadata:
        if self._metadata is None or time.monotonic() - self._metadata[0] > CACHE_SECONDS:
            document = await self._request("GET", f"{self.issuer.rstrip('/')}/.well-known/openid-configuration")
            try:
                metadata = ProviderMetadata.model_validate(document)
            except ValidationError as error:
                raise ProviderUnreachable from error
            if metadata.issuer != self.issuer:
                raise ProviderUnreachable
            self._metadata = time.monotonic(), metadata
        return self._metadata[1]

    async def _fetch_keys(self, max_age_seconds: float) -> KeySet:
        if self._keys is None or time.monotonic() - self._keys[0] > max_age_seconds:
            key_set = await self._request("GET", (await self._discover()).jwks_uri)
            try:
                # The library rejects a response that is not a key set.
                self._keys = time.monotonic(), KeySet.import_key_set(key_set)  # type: ignore[arg-type] # parsed JSON
            except (JoseError, ValueError, TypeError, KeyError) as error:
                raise ProviderUnreachable from error
        return self._keys[1]

    async def _fetch_tokens(self, metadata: ProviderMetadata, code: str, redirect_uri: str, verifier: str) -> Tokens:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "client_id": self.client_id,
            "client_secret": self.client_secret,
            "code_verifier": verifier,
        }
        response = await self._request("POST", metadata.token_endpoint, form=form)
        try:
            return Tokens.model_validate(response)
        except ValidationError as error:
            raise ProviderResponseInvalid(reason="it has no id token") from error

    async def _fetch_user_info(self, subject: str, endpoint: str, token: str) -> dict[str, Any]:
        user_info = await self._request("GET", endpoint, token=token)
        if user_info.get("sub") != subject:
            raise ProviderResponseInvalid(reason="the user info is about another subject")
        return user_info

    async def _request(
        self, method: str, url: str, *, form: Mapping[str, str] | None = None, token: str | None = None
    ) -> dict[str, Any]:
        headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        try:
            async with httpx.AsyncClient(verify=default_ssl_context(), timeout=TIMEOUT_SECONDS) as client:
                response = await client.request(method, url, data=form, headers=headers)
                content = response.json() if response.is_success or response.is_client_error else None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise ProviderUnreachable from error
        if content is None or not isinstance(content, dict):
            raise ProviderUnreachable
        if not response.is_success:
            raise ProviderResponseInvalid(reason=str(content.get("error", response.status_code))[:MAX_REASON_LENGTH])
        return content


def _unverified_claims(id_token: str) -> dict[str, Any]:
    """Returns what the token claims. Anyone can write such a token, so its signature still has to be verified."""
    token = jws.extract_compact(id_token.encode())
    if token.headers().get("alg") not in ALGORITHMS:
        raise ValueError("the algorithm is not accepted")
    claims = json.loads(token.payload)
    if not isinstance(claims, dict):
        raise TypeError("the claims are not an object")
    return claims
