"""A security key in software: it creates a credential, signs challenges and counts its signatures."""

import json
from base64 import urlsafe_b64encode
from hashlib import sha256
from secrets import token_bytes
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, ATTESTED = 0x01, 0x40


def b64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


class SecurityKey:
    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.id = token_bytes(16)
        self.count = 0
        self._key = generate_private_key(SECP256R1())

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        point = self._key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)}
        credential = bytes(16) + len(self.id).to_bytes(2) + self.id + cbor2.dumps(cose)
        data = self._authenticator_data(options["rp"]["id"], PRESENT | ATTESTED) + credential
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client_data("webauthn.create", options["challenge"])
        return self._response({"attestationObject": b64(attestation), "clientDataJSON": b64(client)})

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        self.count += 1
        data = self._authenticator_data(options["rpId"], PRESENT)
        client = self._client_data("webauthn.get", options["challenge"])
        signature = self._key.sign(data + sha256(client).digest(), ECDSA(SHA256()))
        return self._response(
            {"authenticatorData": b64(data), "clientDataJSON": b64(client), "signature": b64(signature)}
        )

    def _authenticator_data(self, host: str, flags: int) -> bytes:
        return sha256(host.encode()).digest() + bytes([flags]) + self.count.to_bytes(4)

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _response(self, response: dict[str, str]) -> dict[str, Any]:
        return {"id": b64(self.id), "rawId": b64(self.id), "type": "public-key", "response": response}
