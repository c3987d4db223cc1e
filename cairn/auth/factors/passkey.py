"""A passkey or security key, by WebAuthn."""

from typing import Any
from urllib.parse import urlsplit

import webauthn
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.options_to_json_dict import options_to_json_dict
from webauthn.helpers.structs import PublicKeyCredentialDescriptor

from cairn.auth.context import AuthContext
from cairn.auth.errors import PasskeyInvalid
from cairn.auth.model import FactorChallenge, Person, StoredFactor
from cairn.auth.settings import AuthSettings


def creation_options(context: AuthContext, person: Person, nonce: bytes, known: list[dict[str, Any]]) -> dict[str, Any]:
    """For a key that is new; one that is known already is not to be added twice."""
    options = webauthn.generate_registration_options(
        rp_id=context.settings.host,
        rp_name=context.settings.host,
        user_id=person.id.bytes,
        user_name=person.email or str(person.id),
        challenge=nonce,
        exclude_credentials=[_descriptor(credential) for credential in known],
    )
    return options_to_json_dict(options)


def request_options(context: AuthContext, factor: StoredFactor, nonce: bytes) -> dict[str, Any]:
    assert factor.credential is not None
    options = webauthn.generate_authentication_options(
        rp_id=context.settings.host, challenge=nonce, allow_credentials=[_descriptor(factor.credential)]
    )
    return options_to_json_dict(options)


def proven(
    context: AuthContext, factor: StoredFactor, posed: FactorChallenge, response: dict[str, Any]
) -> dict[str, Any]:
    """The key as it is to be remembered, if it signed this very challenge on a page of ours; else `PasskeyInvalid`."""
    try:
        if factor.credential is None:
            return _registered(context.settings, posed, response)
        return _used(context.settings, posed, response, factor.credential)
    except (WebAuthnException, ValueError, TypeError, KeyError, AttributeError) as refused:
        raise PasskeyInvalid from refused


def _registered(settings: AuthSettings, posed: FactorChallenge, response: dict[str, Any]) -> dict[str, Any]:
    verified = webauthn.verify_registration_response(
        credential=response,
        expected_challenge=posed.nonce or b"",
        expected_rp_id=settings.host,
        expected_origin=_origins(settings),
    )
    return {
        "id": bytes_to_base64url(verified.credential_id),
        "public_key": bytes_to_base64url(verified.credential_public_key),
        "sign_count": verified.sign_count,
    }


def _used(
    settings: AuthSettings, posed: FactorChallenge, response: dict[str, Any], credential: dict[str, Any]
) -> dict[str, Any]:
    if response.get("id") != credential["id"]:
        raise PasskeyInvalid
    verified = webauthn.verify_authentication_response(
        credential=response,
        expected_challenge=posed.nonce or b"",
        expected_rp_id=settings.host,
        expected_origin=_origins(settings),
        credential_public_key=base64url_to_bytes(credential["public_key"]),
        credential_current_sign_count=credential["sign_count"],
    )
    return {**credential, "sign_count": verified.new_sign_count}


def _origins(settings: AuthSettings) -> list[str]:
    site = urlsplit(settings.site_url)
    return [f"{site.scheme}://{site.netloc}", *settings.mfa.webauthn_origins]


def _descriptor(credential: dict[str, Any]) -> PublicKeyCredentialDescriptor:
    return PublicKeyCredentialDescriptor(id=base64url_to_bytes(credential["id"]))
