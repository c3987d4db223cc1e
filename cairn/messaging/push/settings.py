from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from pydantic import BaseModel, SecretStr, field_validator


class PushSettings(BaseModel, frozen=True, hide_input_in_errors=True):
    # This key is generated into the data folder. Replacing it invalidates the subscriptions of all browsers.
    private_key: SecretStr
    # The contact for push services: `mailto:…` or `https://…`. If empty, the sender address of emails is used.
    contact: str = ""
    # The endpoint of a subscription comes from a browser, so only these origins are ever called.
    services: tuple[str, ...] = (
        "https://fcm.googleapis.com",
        "https://*.push.services.mozilla.com",
        "https://*.push.apple.com",
        "https://*.notify.windows.com",
    )
    timeout_seconds: float = 10.0

    @field_validator("private_key")
    @classmethod
    def _check_private_key(cls, pem: SecretStr) -> SecretStr:
        try:
            key = load_pem_private_key(pem.get_secret_value().encode(), None)
        except (ValueError, TypeError):
            key = None
        if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
            raise ValueError("must be an EC P-256 private key in PEM")
        return pem
