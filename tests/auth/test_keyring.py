import base64
import json
import tracemalloc
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicNumbers
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey

from cairn.auth import AuthSettings, BadClaims, BadToken, Keyring, new_signing_key
from cairn.auth.tokens import TokenCache
from cairn.db import Database, Principal
from cairn.kit import now
from tests.auth.conftest import SIGNING_KEY, open_visitor
from tests.auth.visitor import Visitor, error_of, json_of

SECRET = "a secret that only these tests use"


def test_the_same_secret_always_yields_the_same_project_keys(settings: AuthSettings) -> None:
    first, second = Keyring(settings), Keyring(settings)

    assert (first.anon_key, first.service_key) == (second.anon_key, second.service_key)
    assert first.principal(first.anon_key).role == "anon"
    assert first.principal(first.service_key).role == "service_role"
    assert first.principal(first.service_key).user_id is None


@pytest.mark.accept("AUTH-25")
async def test_access_tokens_verify_with_the_published_keys(visitor: Visitor) -> None:
    """The client has only the key set and verifies the token with plain ECDSA."""
    token = json_of(await visitor.sign_up("rosa@rio-rafting.example"))["access_token"]
    response = await visitor.client.get("/.well-known/jwks.json")
    header, payload, signature = token.split(".")
    assert response.headers["cache-control"] == "public, max-age=600"
    [key] = [key for key in response.json()["keys"] if key["kid"] == json.loads(_base64_decode(header))["kid"]]

    x, y = (int.from_bytes(_base64_decode(key[part])) for part in ("x", "y"))
    r, s = (int.from_bytes(half) for half in (_base64_decode(signature)[:32], _base64_decode(signature)[32:]))
    public_key = EllipticCurvePublicNumbers(x, y, SECP256R1()).public_key()
    public_key.verify(encode_dss_signature(r, s), f"{header}.{payload}".encode(), ECDSA(SHA256()))

    assert "d" not in key
    assert SECRET not in response.text


async def test_the_openid_configuration_contains_the_url_of_the_keys(visitor: Visitor, settings: AuthSettings) -> None:
    configuration = (await visitor.client.get("/.well-known/openid-configuration")).json()

    assert configuration["issuer"] == settings.issuer
    assert configuration["jwks_uri"] == f"{settings.issuer}/.well-known/jwks.json"


async def test_sessions_continue_after_the_signing_key_was_replaced(visitor: Visitor, database: Database) -> None:
    session = json_of(await visitor.sign_up("rosa@rio-rafting.example"))
    old_public_key = ECKey.import_key(SIGNING_KEY).as_pem(private=False).decode()
    new_secrets = {"jwt_secret": SECRET, "signing_key": new_signing_key()}
    new_settings = AuthSettings.model_validate({**new_secrets, "retired_keys": [old_public_key]})

    async with open_visitor(database, Keyring(new_settings), new_settings) as new_visitor:
        assert (await new_visitor.user(session)).status_code == 200
        new_session = json_of(await new_visitor.refresh(session["refresh_token"]))
        keys = (await new_visitor.client.get("/.well-known/jwks.json")).json()["keys"]
    keyring_without_retired = Keyring(AuthSettings.model_validate(new_secrets))

    assert [key["kid"] for key in keys] == [_kid(new_session["access_token"]), _kid(session["access_token"])]
    assert not any("d" in key for key in keys)
    assert keyring_without_retired.principal(new_session["access_token"]).user_id
    with pytest.raises(BadToken):
        keyring_without_retired.principal(session["access_token"])


@pytest.mark.parametrize("pem", ["", "no key", SIGNING_KEY], ids=["empty", "garbage", "private"])
def test_retired_keys_must_be_public_keys(pem: str) -> None:
    with pytest.raises(ValueError, match="must be EC P-256 public keys in PEM"):
        AuthSettings.model_validate({"jwt_secret": SECRET, "signing_key": SIGNING_KEY, "retired_keys": [pem]})


OTHER_RSA_KEY = RSAKey.generate_key(2048, {"kid": "another issuer"})
OTHER_EC_KEY = ECKey.generate_key("P-256", {"kid": "another issuer"})


@pytest.mark.parametrize(("key", "algorithm"), [(OTHER_RSA_KEY, "RS256"), (OTHER_EC_KEY, "ES256")])
async def test_tokens_of_another_issuer_are_accepted_with_its_key(
    database: Database, settings: AuthSettings, key: RSAKey | ECKey, algorithm: str
) -> None:
    trusting = settings.model_copy(update={"verification_keys": (key.as_dict(private=False),)})
    user_id = uuid4()
    claims = {"sub": str(user_id), "role": "authenticated", "exp": int(now().timestamp()) + 60}
    token = jwt.encode({"alg": algorithm, "kid": "another issuer"}, claims, key)

    async with open_visitor(database, Keyring(trusting), trusting) as visitor:
        published = (await visitor.client.get("/.well-known/jwks.json")).json()["keys"]

    assert Keyring(trusting).principal(token).user_id == user_id
    assert [(key["kid"], key["alg"]) for key in published][1:] == [("another issuer", algorithm)]
    assert not {"d", "p", "q"} & published[1].keys()
    with pytest.raises(BadToken, match="No suitable key"):
        Keyring(settings).principal(token)


def test_a_key_of_another_issuer_verifies_only_its_own_algorithm_and_id(settings: AuthSettings) -> None:
    public_key = OTHER_RSA_KEY.as_dict(private=False)
    keyring = Keyring(settings.model_copy(update={"verification_keys": (public_key,)}))
    claims = {"sub": str(uuid4()), "role": "service_role"}
    key_as_secret = OctKey.import_key(json.dumps(public_key))
    forged_tokens = {
        "a shared secret": jwt.encode({"alg": "HS256", "kid": "another issuer"}, claims, key_as_secret),
        "another algorithm": jwt.encode(
            {"alg": "RS512", "kid": "another issuer"}, claims, OTHER_RSA_KEY, algorithms=["RS512"]
        ),
        "another key": jwt.encode({"alg": "RS256", "kid": "another issuer"}, claims, RSAKey.generate_key(2048)),
        "another id": jwt.encode({"alg": "RS256", "kid": "someone"}, claims, OTHER_RSA_KEY),
        "no id": jwt.encode({"alg": "RS256"}, claims, OTHER_RSA_KEY),
        "another type of key": jwt.encode({"alg": "ES256", "kid": "another issuer"}, claims, OTHER_EC_KEY),
    }

    for description, token in forged_tokens.items():
        with pytest.raises(BadToken):
            keyring.principal(token)
            pytest.fail(description)


def test_another_issuer_cannot_replace_our_signing_key(settings: AuthSettings) -> None:
    own_kid = ECKey.import_key(SIGNING_KEY).thumbprint()
    keyring = Keyring(
        settings.model_copy(update={"verification_keys": ({**OTHER_EC_KEY.as_dict(private=False), "kid": own_kid},)})
    )

    assert keyring.principal(keyring.access_token({"sub": str(uuid4())}, now()))
    with pytest.raises(BadToken):
        keyring.principal(jwt.encode({"alg": "ES256", "kid": own_kid}, {"role": "service_role"}, OTHER_EC_KEY))


INVALID_KEYS: list[tuple[list[dict[str, Any]], str]] = [
    ([OTHER_RSA_KEY.as_dict(private=True)], "must be public keys in JWK"),
    ([OctKey.import_key("x" * 40, {"kid": "a"}).as_dict()], "must be public keys in JWK"),
    ([{"kty": "RSA", "kid": "a"}], "must be public keys in JWK"),
    ([ECKey.generate_key("P-384", {"kid": "a"}).as_dict(private=False)], "the curve of an EC key must be P-256"),
    ([{"kty": "RSA", "kid": "a", "e": "AQAB", "n": "_" * 170 + "8"}], "an RSA key must have at least 2048 bits"),
    ([{**OTHER_RSA_KEY.as_dict(private=False), "kid": ""}], "each key needs a `kid`"),
    ([OTHER_RSA_KEY.as_dict(private=False), OTHER_EC_KEY.as_dict(private=False)], "each key needs another `kid`"),
]


@pytest.mark.filterwarnings("ignore:Key size should be")
@pytest.mark.parametrize(("keys", "message"), INVALID_KEYS, ids=[message for _, message in INVALID_KEYS])
def test_the_keys_of_other_issuers_must_be_strong_public_keys(keys: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        AuthSettings.model_validate({"jwt_secret": SECRET, "signing_key": SIGNING_KEY, "verification_keys": keys})


def _kid(token: str) -> str:
    return str(json.loads(_base64_decode(token.split(".", maxsplit=1)[0]))["kid"])


async def test_a_token_contains_the_claims_of_its_user(visitor: Visitor, keyring: Keyring) -> None:
    session = json_of(await visitor.sign_up("rosa@rio-rafting.example", name="Rosa"))
    claims = keyring.claims(session["access_token"])

    issued_at = claims.pop("iat")
    assert claims.pop("session_id")
    assert claims.pop("amr") == [{"method": "password", "timestamp": issued_at}]
    assert claims == {
        "iss": "http://127.0.0.1:8000/auth/v1",
        "sub": session["user"]["id"],
        "aud": "authenticated",
        "exp": session["expires_at"],
        "email": "rosa@rio-rafting.example",
        "phone": "",
        "app_metadata": session["user"]["app_metadata"],
        "user_metadata": {"name": "Rosa"},
        "role": "authenticated",
        "aal": "aal1",
        "is_anonymous": False,
    }
    assert session["expires_at"] == issued_at + session["expires_in"]


@pytest.mark.accept("AUTH-31")
async def test_a_forged_malformed_or_expired_token_is_refused(visitor: Visitor, keyring: Keyring) -> None:
    session = json_of(await visitor.sign_up("rosa@rio-rafting.example"))
    header, payload, signature = session["access_token"].split(".")
    claims = json.loads(_base64_decode(payload))
    foreign_keyring = Keyring(AuthSettings.model_validate({"jwt_secret": "m" * 40, "signing_key": new_signing_key()}))
    two_hours_ago = now() - timedelta(hours=2)
    tokens_by_reason = {
        "Expected 3 parts in JWT; got 2": f"{header}.{payload}",
        "Expected 3 parts in JWT; got 4": f"{header}.{payload}.{signature}.{signature}",
        "JWT expired": keyring.access_token({"sub": claims["sub"]}, two_hours_ago),
        "No suitable key or wrong key type": foreign_keyring.access_token(claims, now()),
    }
    forged_tokens = {
        "alg none": f"{_encode_json({'alg': 'none', 'typ': 'JWT'})}.{payload}.",
        "other claims": f"{header}.{_encode_json({**claims, 'sub': str(uuid4())})}.{signature}",
        "other header": f"{_encode_json({'alg': 'HS256'})}.{payload}.{signature}",
        "our kid, a foreign key": _signed_with_foreign_key(keyring, claims),
        "the public key as the secret": _signed_with_public_key(keyring, claims),
        "another secret": jwt.encode({"alg": "HS256"}, claims, OctKey.import_key("m" * 40)),
        "another algorithm": jwt.encode({"alg": "HS512"}, claims, OctKey.import_key(SECRET * 2), algorithms=["HS512"]),
        "not base64url": f"{header}.{payload}.%%%%",
    }

    for reason, token in tokens_by_reason.items():
        response = await visitor.user({"access_token": token})
        assert error_of(response) == (403, "bad_jwt"), reason
        assert response.json()["message"] == f"invalid JWT: unable to parse or verify signature, {reason}"
    for description, token in forged_tokens.items():
        assert error_of(await visitor.user({"access_token": token})) == (403, "bad_jwt"), description


def test_a_cached_token_still_expires(keyring: Keyring, advance_clock: Callable[[timedelta], None]) -> None:
    token = keyring.access_token({"sub": str(uuid4())}, now())
    assert keyring.principal(token) is keyring.principal(token)

    advance_clock(timedelta(hours=1, seconds=1))

    with pytest.raises(BadClaims, match="JWT expired"):
        keyring.principal(token)


def test_the_token_cache_is_bounded() -> None:
    cache = TokenCache(2, max_characters=1000)
    for token in ("first", "second"):
        cache.put(token, Principal("anon", {"token": token}))
    assert cache.get("first") is not None

    cache.put("third", Principal("anon"))

    assert len(cache) == 2
    assert cache.get("second") is None
    assert cache.get("first") is not None


def test_18a7_a_cached_token_keeps_the_metadata_of_its_user_only_as_text(keyring: Keyring) -> None:
    """18A7 is a finding in docs/security.md: lists inside lists need forty times as much memory as their text."""
    nested = json.loads(",".join(["[" * 90 + "]" * 90] * 80).join("[]"))
    token = keyring.access_token({"sub": str(uuid4()), "user_metadata": {"a": nested}}, now())

    tracemalloc.start()
    principal = keyring.principal(token)
    kept_bytes, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert len(principal.claims_json) > 14_000
    assert kept_bytes < 60_000


def test_18a7_the_claims_of_all_cached_tokens_are_limited_together() -> None:
    cache = TokenCache(100, max_characters=1000)
    for number in range(5):
        cache.put(str(number), Principal("anon", {"text": "x" * 300}))
    cache.put("4", Principal("anon", {"text": "x" * 300}))
    assert [cache.get(str(number)) is not None for number in range(5)] == [False, False, True, True, True]

    cache.put("huge", Principal("anon", {"text": "x" * 2000}))
    assert len(cache) == 0

    cache.put("small", Principal("anon"))
    assert cache.get("small") is not None


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"role": "postgres"}, 'role "postgres" does not exist'),
        ({"role": ["anon"]}, "role \"['anon']\" does not exist"),
        ({"exp": "soon"}, "The JWT 'exp' claim must be a number"),
        ({"nbf": 4102444800}, "JWT not yet valid"),
        ({"iat": 4102444800}, "JWT issued at future"),
        ({"sub": ""}, "The JWT 'sub' claim must be a UUID"),
        ({"sub": "urn:uuid:12345678-1234-5678-1234-567812345678"}, "The JWT 'sub' claim must be a UUID"),
    ],
)
def test_a_signed_token_with_invalid_claims_is_refused(keyring: Keyring, claims: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadClaims) as raised:
        keyring.principal(_signed_with_secret(claims))
    assert raised.value.reason == reason


def test_a_token_signed_with_the_shared_secret_is_accepted(keyring: Keyring) -> None:
    subject = str(uuid4())
    principal = keyring.principal(_signed_with_secret({"sub": subject, "role": "authenticated"}))
    assert (principal.role, str(principal.user_id)) == ("authenticated", subject)
    assert keyring.principal(_signed_with_secret({})).role == "anon"


@given(
    st.text()
    | st.lists(st.binary(max_size=90), min_size=3, max_size=3).map(lambda parts: ".".join(map(_base64_encode, parts)))
)
def test_arbitrary_text_is_refused_as_a_bad_token(text: str) -> None:
    with pytest.raises(BadToken):
        KEYRING.principal(text)


@pytest.mark.parametrize(
    "pem",
    [
        "",
        "no key",
        SIGNING_KEY[:90],
        ECKey.generate_key("P-384").as_pem(private=True).decode(),
        ECKey.generate_key("P-256").as_pem(private=False).decode(),
        RSAKey.generate_key(2048).as_pem(private=True).decode(),
    ],
    ids=["empty", "not PEM", "cut short", "another curve", "public", "another kind"],
)
def test_the_signing_key_must_be_a_private_p256_key(pem: str) -> None:
    with pytest.raises(ValueError, match="must be an EC P-256 private key in PEM") as raised:
        AuthSettings.model_validate({"jwt_secret": SECRET, "signing_key": pem})
    assert "BEGIN" not in str(raised.value)


@pytest.mark.parametrize("secret", ["", "31 characters are not enough yet"[:31]])
def test_a_short_secret_is_refused(secret: str) -> None:
    with pytest.raises(ValueError, match="jwt_secret"):
        AuthSettings.model_validate({"jwt_secret": secret, "signing_key": SIGNING_KEY})


KEYRING = Keyring(AuthSettings.model_validate({"jwt_secret": SECRET, "signing_key": SIGNING_KEY}))


def _signed_with_secret(claims: dict[str, Any]) -> str:
    return jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(SECRET))


def _signed_with_foreign_key(keyring: Keyring, claims: dict[str, Any]) -> str:
    foreign_keyring = Keyring(AuthSettings.model_validate({"jwt_secret": "m" * 40, "signing_key": new_signing_key()}))
    header = _encode_json({"alg": "ES256", "typ": "JWT", "kid": keyring.jwks()["keys"][0]["kid"]})
    _, payload, signature = foreign_keyring.access_token(claims, now()).split(".")
    return f"{header}.{payload}.{signature}"


def _signed_with_public_key(keyring: Keyring, claims: dict[str, Any]) -> str:
    public_key = json.dumps(keyring.jwks()["keys"][0])
    return jwt.encode({"alg": "HS256", "kid": keyring.jwks()["keys"][0]["kid"]}, claims, OctKey.import_key(public_key))


def _base64_decode(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _encode_json(content: dict[str, Any]) -> str:
    return _base64_encode(json.dumps(content).encode())


def _base64_encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
