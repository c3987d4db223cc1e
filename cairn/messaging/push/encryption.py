"""What is pushed is encrypted for one browser (RFC 8291, in the form of RFC 8188)."""

import base64
import os
import struct

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

RECORD_SIZE = 4096
LONGEST = RECORD_SIZE - 17 - 86
"""Everything goes into one record: what is left of it beside the padding mark, the tag and the header."""
_LAST_RECORD = b"\x02"


def sealed(text: bytes, p256dh: str, auth: str) -> bytes:
    """Readable only with the private key that never left the browser. Raises ValueError for a key that is none."""
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(p256dh))
    # Used once, so that nothing sent earlier or later can be read with it.
    ours = ec.generate_private_key(ec.SECP256R1())
    their_point, our_point, salt = point(theirs), point(ours.public_key()), os.urandom(16)
    shared = ours.exchange(ec.ECDH(), theirs)
    secret = _derived(shared, decoded(auth), b"WebPush: info\x00" + their_point + our_point, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\x00", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\x00", 12)
    header = salt + struct.pack(">IB", RECORD_SIZE, len(our_point)) + our_point
    return header + AESGCM(key).encrypt(nonce, text + _LAST_RECORD, None)


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
