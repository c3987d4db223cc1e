"""Simulates a security key: it creates a credential, signs challenges and counts its signatures."""

import json
from base64 import urlsafe_b64encode
from hashlib import sha256
from secrets import token_bytes
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256

# Flags of the authenticator data: the user is present, and a new credential is attached.
USER_PRESENT, HAS_CREDENTIAL = 0x01, 0x40


def base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


class SecurityKey:
    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.id = token_bytes(16)
        self.sign_count = 0
        self._key = generate_private_key(SECP256R1())

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        point = self._key.public_key().public_numbers()
        # These are the key type EC2, the algorithm ES256, the curve P-256 and the coordinates.
        cose_key = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)}
        credential = bytes(16) + len(self.id).to_bytes(2) + self.id + cbor2.dumps(cose_key)
        data = self._authenticator_data(options["rp"]["id"], USER_PRESENT | HAS_CREDENTIAL) + credential
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = self._client_data("webauthn.create", options["challenge"])
        return self._response({"attestationObject": base64url(attestation), "clientDataJSON": base64url(client_data)})

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        self.sign_count += 1
        data = self._authenticator_data(options["rpId"], USER_PRESENT)
        client_data = self._client_data("webauthn.get", options["challenge"])
        signature = self._key.sign(data + sha256(client_data).digest(), ECDSA(SHA256()))
        return self._response(
            {
                "authenticatorData": base64url(data),
                "clientDataJSON": base64url(client_data),
                "signature": base64url(signature),
            }
        )

    def _authenticator_data(self, host: str, flags: int) -> bytes:
        return sha256(host.encode()).digest() + bytes([flags]) + self.sign_count.to_bytes(4)

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _response(self, response: dict[str, str]) -> dict[str, Any]:
        return {"id": base64url(self.id), "rawId": base64url(self.id), "type": "public-key", "response": response}
