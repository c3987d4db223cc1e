"""Encrypts a push message for one browser (RFC 8291, with the content encoding of RFC 8188)."""

import base64
import os
import struct

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_RECORD_BYTES = 4096
# The encrypted record also contains the header (86 bytes), a padding delimiter (1) and the authentication tag (16).
MAX_MESSAGE_BYTES = _RECORD_BYTES - 86 - 1 - 16
_LAST_RECORD = b"\x02"


def encrypt(message: bytes, p256dh: str, auth: str) -> bytes:
    """`p256dh` and `auth` are the public key and the secret of the browser, as its subscription contains them.

    Only the browser has the private key that decrypts the result. Raises ValueError if a key is malformed.
    """
    browser_key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode_base64url(p256dh))
    # Every message gets a new key, so that a leaked key reveals only one message.
    own_key = ec.generate_private_key(ec.SECP256R1())
    browser_point, own_point = uncompressed_point(browser_key), uncompressed_point(own_key.public_key())
    salt = os.urandom(16)
    shared = own_key.exchange(ec.ECDH(), browser_key)
    secret = _derive(shared, decode_base64url(auth), b"WebPush: info\x00" + browser_point + own_point, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\x00", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\x00", 12)
    header = salt + struct.pack(">IB", _RECORD_BYTES, len(own_point)) + own_point
    return header + AESGCM(key).encrypt(nonce, message + _LAST_RECORD, None)


def uncompressed_point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def decode_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
