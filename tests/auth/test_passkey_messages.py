"""11A2 in docs/security.md: an account can send any CBOR as the response of its passkey. It must be decoded fast."""

import base64
import sys
import time
from importlib import import_module
from typing import Any

import cbor2
import pytest
import webauthn
from webauthn.helpers.exceptions import InvalidCBORData

from tests.auth.mfa_client import MfaClient
from tests.auth.security_key import SecurityKey
from tests.auth.visitor import Visitor, error_of, json_of

ROSA = "rosa@rio-rafting.example"
# Compiling this character class takes 20 milliseconds, so 500 of them take 10 seconds.
SLOW_PATTERN = "(?i)" + "[\u0001-\U0010fffe]" * 500


def parse_cbor(data: bytes) -> Any:
    """Decodes CBOR as the server does: importing cairn.auth.factors.passkey makes the library refuse tags.

    webauthn.helpers.parse_cbor is both a module and a function, so the module is taken from sys.modules.
    """
    import_module("cairn.auth.factors.passkey")
    return vars(sys.modules["webauthn.helpers.parse_cbor"])["parse_cbor"](data)


async def register_passkey(visitor: Visitor, attestation: bytes) -> Any:
    """Registers a passkey, but sends this attestation instead of its own. Returns the server's response."""
    mfa = MfaClient(visitor, json_of(await visitor.sign_up(ROSA)))
    factor = json_of(await mfa.enrol("webauthn", friendly_name="key"))
    challenge = json_of(await mfa.challenge(factor["id"]))
    created = SecurityKey("http://127.0.0.1:8000").create(challenge["webauthn"]["credential_options"]["publicKey"])
    created["response"]["attestationObject"] = base64.urlsafe_b64encode(attestation).decode().rstrip("=")
    proof = {"type": "create", "credential_response": created}
    return await mfa.verify(factor["id"], challenge_id=challenge["id"], webauthn=proof)


async def test_11a2_a_regular_expression_in_the_response_of_a_passkey_is_not_compiled(visitor: Visitor) -> None:
    started_at = time.process_time()

    response = await register_passkey(visitor, cbor2.dumps(cbor2.CBORTag(35, SLOW_PATTERN)))

    assert error_of(response) == (422, "mfa_verification_failed")
    assert time.process_time() - started_at < 5


async def test_11a2_a_long_response_of_a_passkey_is_not_decoded(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[Any] = []
    monkeypatch.setattr(webauthn, "verify_registration_response", lambda **arguments: decoded.append(arguments))

    response = await register_passkey(visitor, b"\x00" * 12_000)

    assert error_of(response) == (422, "mfa_verification_failed")
    assert decoded == []


def test_11a2_no_tag_is_decoded() -> None:
    for tag in (*range(70_000), 2**32, 2**64 - 1):
        with pytest.raises(InvalidCBORData):
            parse_cbor(cbor2.dumps(cbor2.CBORTag(tag, [])))
    assert parse_cbor(cbor2.dumps({"fmt": "none", 1: [2, b"3", -7]})) == {"fmt": "none", 1: [2, b"3", -7]}
