"""Signs reports as Resend and SendGrid do."""

import base64
import hmac
import json
from datetime import datetime
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from cairn.kit import now

RESEND_REPORT_KEY = "whsec_" + base64.b64encode(b"a key that only these tests use").decode()
_SENDGRID_PRIVATE_KEY = ec.generate_private_key(ec.SECP256R1())
SENDGRID_REPORT_KEY = base64.b64encode(
    _SENDGRID_PRIVATE_KEY.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
).decode()


def resend_event(kind: str, to: str, email_id: str, **data: Any) -> bytes:
    return json.dumps({"type": kind, "data": {"email_id": email_id, "to": [to], **data}}).encode()


def sendgrid_events(*events: dict[str, Any]) -> bytes:
    # SendGrid ends each body with a line break, which is part of what is signed.
    return json.dumps(events).encode() + b"\r\n"


def sign_resend(body: bytes, key: str = RESEND_REPORT_KEY, at: datetime | None = None) -> dict[str, str]:
    timestamp = str(int((at or now()).timestamp()))
    secret = base64.b64decode(key.removeprefix("whsec_"))
    signature = hmac.new(secret, b"msg_1." + timestamp.encode() + b"." + body, sha256).digest()
    return {
        "svix-id": "msg_1",
        "svix-timestamp": timestamp,
        "svix-signature": "v1," + base64.b64encode(signature).decode(),
    }


def sign_sendgrid(body: bytes, at: datetime | None = None) -> dict[str, str]:
    timestamp = str(int((at or now()).timestamp()))
    signature = _SENDGRID_PRIVATE_KEY.sign(timestamp.encode() + body, ec.ECDSA(SHA256()))
    return {
        "x-twilio-email-event-webhook-timestamp": timestamp,
        "x-twilio-email-event-webhook-signature": base64.b64encode(signature).decode(),
    }
