"""Builds and verifies the WebAuthn messages of passkeys and security keys."""

import json
from typing import Any
from urllib.parse import urlsplit

import webauthn
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.options_to_json_dict import options_to_json_dict
from webauthn.helpers.structs import PublicKeyCredentialDescriptor

from cairn.auth.context import AuthContext
from cairn.auth.errors import PasskeyInvalid
from cairn.auth.factors.passkey_cbor import refuse_tags
from cairn.auth.model import FactorChallenge, StoredFactor, User
from cairn.auth.settings import AuthSettings

# The response of a key is shorter than 1 kB, or a few kB with the certificates of its maker. A long one could contain a
# map whose keys all have the same hash, which would take seconds to decode.
MAX_RESPONSE_LENGTH = 16_000

refuse_tags()


def creation_options(
    context: AuthContext, user: User, nonce: bytes, existing_credentials: list[dict[str, Any]]
) -> dict[str, Any]:
    """Returns the options for adding a key. Existing keys are excluded, so that no key is added twice."""
    options = webauthn.generate_registration_options(
        rp_id=context.settings.host,
        rp_name=context.settings.host,
        user_id=user.id.bytes,
        user_name=user.email or str(user.id),
        challenge=nonce,
        exclude_credentials=[_descriptor(credential) for credential in existing_credentials],
    )
    return options_to_json_dict(options)


def request_options(context: AuthContext, factor: StoredFactor, nonce: bytes) -> dict[str, Any]:
    assert factor.credential is not None
    options = webauthn.generate_authentication_options(
        rp_id=context.settings.host, challenge=nonce, allow_credentials=[_descriptor(factor.credential)]
    )
    return options_to_json_dict(options)


def verify_response(
    context: AuthContext, factor: StoredFactor, challenge: FactorChallenge, response: dict[str, Any]
) -> dict[str, Any]:
    """Checks that the key has signed this challenge on one of our origins, and returns the credential to store."""
    if len(json.dumps(response)) > MAX_RESPONSE_LENGTH:
        raise PasskeyInvalid
    try:
        if factor.credential is None:
            return _verify_registration(context.settings, challenge, response)
        return _verify_authentication(context.settings, challenge, response, factor.credential)
    except (WebAuthnException, ValueError, TypeError, KeyError, AttributeError) as error:
        raise PasskeyInvalid from error


def _verify_registration(
    settings: AuthSettings, challenge: FactorChallenge, response: dict[str, Any]
) -> dict[str, Any]:
    verification = webauthn.verify_registration_response(
        credential=response,
        expected_challenge=challenge.nonce or b"",
        expected_rp_id=settings.host,
        expected_origin=_origins(settings),
    )
    return {
        "id": bytes_to_base64url(verification.credential_id),
        "public_key": bytes_to_base64url(verification.credential_public_key),
        "sign_count": verification.sign_count,
    }


def _verify_authentication(
    settings: AuthSettings, challenge: FactorChallenge, response: dict[str, Any], credential: dict[str, Any]
) -> dict[str, Any]:
    if response.get("id") != credential["id"]:
        raise PasskeyInvalid
    verification = webauthn.verify_authentication_response(
        credential=response,
        expected_challenge=challenge.nonce or b"",
        expected_rp_id=settings.host,
        expected_origin=_origins(settings),
        credential_public_key=base64url_to_bytes(credential["public_key"]),
        credential_current_sign_count=credential["sign_count"],
    )
    return {**credential, "sign_count": verification.new_sign_count}


def _origins(settings: AuthSettings) -> list[str]:
    site = urlsplit(settings.site_url)
    return [f"{site.scheme}://{site.netloc}", *settings.mfa.webauthn_origins]


def _descriptor(credential: dict[str, Any]) -> PublicKeyCredentialDescriptor:
    return PublicKeyCredentialDescriptor(id=base64url_to_bytes(credential["id"]))
