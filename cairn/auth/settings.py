"""What an operator may decide about this room."""

from datetime import timedelta

from joserfc.errors import JoseError
from joserfc.jwk import ECKey
from pydantic import BaseModel, Field, SecretStr, field_validator


# A setting that cannot be used is named in the error; its value is a secret.
class AuthSettings(BaseModel, frozen=True, hide_input_in_errors=True):
    # Signs the project keys (HS256) and keys the chain of refresh tokens.
    jwt_secret: SecretStr = Field(min_length=32)
    # An EC P-256 private key in PEM; signs the access tokens (ES256). `new_signing_key()` makes one.
    signing_key: SecretStr

    # Where people reach the product; tokens name `<site_url>/auth/v1` as their issuer.
    site_url: str = "http://127.0.0.1:8000"
    access_token_lifetime: timedelta = timedelta(hours=1)
    refresh_reuse_interval: timedelta = timedelta(seconds=10)
    minimum_password_length: int = Field(default=8, ge=1, le=72)
    disable_signup: bool = False
    # Off for stacks whose clients send only `Authorization`, or nothing at all.
    api_key_required: bool = True

    @field_validator("signing_key")
    @classmethod
    def _is_a_signing_key(cls, pem: SecretStr) -> SecretStr:
        try:
            key = ECKey.import_key(pem.get_secret_value())
        except (JoseError, ValueError, TypeError):
            key = None
        if key is None or not key.is_private or key.curve_name != "P-256":
            raise ValueError("must be an EC P-256 private key in PEM")
        return pem

    @property
    def issuer(self) -> str:
        return f"{self.site_url.rstrip('/')}/auth/v1"
