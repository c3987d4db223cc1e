"""Reads the keys that verify the reports of providers."""

import base64
from typing import Literal, TypeAlias

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key

ReportProvider: TypeAlias = Literal["resend", "sendgrid"]


def check_report_key(provider: ReportProvider, key: str) -> None:
    """Raises ValueError, with a message for the user, if this cannot be a key of the provider."""
    if provider == "resend":
        resend_secret(key)
    else:
        sendgrid_public_key(key)


def resend_secret(key: str) -> bytes:
    """`key` is the "Signing Secret" of Resend: base64 after a prefix."""
    try:
        secret = base64.b64decode(key.removeprefix("whsec_"), validate=True)
    except ValueError:
        secret = b""
    if not secret:
        raise ValueError("This is not a signing secret of Resend. It starts with whsec_ and is shown with the webhook.")
    return secret


def sendgrid_public_key(key: str) -> EllipticCurvePublicKey:
    """`key` is the "Verification Key" of SendGrid: a public key in DER and base64."""
    try:
        public_key = load_der_public_key(base64.b64decode(key, validate=True))
    except (ValueError, UnsupportedAlgorithm):
        public_key = None
    if not isinstance(public_key, EllipticCurvePublicKey):
        raise ValueError("This is not a verification key of SendGrid. It is shown with the signed event webhook.")
    return public_key
