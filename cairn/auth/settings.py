"""What an operator may decide about this room."""

from datetime import timedelta
from urllib.parse import urlsplit

from joserfc.errors import JoseError
from joserfc.jwk import ECKey
from pydantic import BaseModel, Field, SecretStr, field_validator


class GoogleSettings(BaseModel, frozen=True, hide_input_in_errors=True):
    """Signing in with Google. Off until both credentials are given."""

    client_id: str | None = None
    client_secret: SecretStr | None = None
    # Phone apps of the same project have ids of their own; their id tokens are good here too.
    further_client_ids: tuple[str, ...] = ()
    # Everything else is read from what the issuer publishes about itself.
    issuer: str = "https://accounts.google.com"


class MfaSettings(BaseModel, frozen=True):
    """Second factors: which kinds may be added, and how many."""

    totp: bool = True
    webauthn: bool = True
    # Needs something that sends text messages as well.
    phone: bool = False
    max_factors: int = Field(default=10, ge=1)
    # A stolen session must not add a factor of the thief's: adding one asks for a sign-in not older than this.
    recent_sign_in: timedelta = timedelta(hours=24)
    # Wrong codes one person may enter within five minutes.
    tries: int = Field(default=15, ge=1)
    # Pages of other origins that may use passkeys of this site; they must share its host name.
    webauthn_origins: tuple[str, ...] = ()


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

    # Public keys in PEM whose tokens are still good after `signing_key` was replaced.
    retired_keys: tuple[str, ...] = ()
    # Seals the secrets of second factors. Not set means `jwt_secret`; set it to the old one before changing that.
    sealing_secret: SecretStr | None = Field(default=None, min_length=32)
    # Where besides the site itself a link may lead: globs in which `*` stays between two `.` or `/`, and `**` does not.
    uri_allow_list: tuple[str, ...] = ()
    google: GoogleSettings = GoogleSettings()
    # Whether someone signed in may add and remove identities by hand.
    manual_linking: bool = False
    mfa: MfaSettings = MfaSettings()
    # Signing in through the identity providers of companies.
    saml: bool = False

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

    @field_validator("retired_keys")
    @classmethod
    def _are_public_keys(cls, pems: tuple[str, ...]) -> tuple[str, ...]:
        for pem in pems:
            try:
                key = ECKey.import_key(pem)
            except (JoseError, ValueError, TypeError):
                key = None
            if key is None or key.is_private or key.curve_name != "P-256":
                raise ValueError("must be EC P-256 public keys in PEM")
        return pems

    @property
    def host(self) -> str:
        """The name a passkey is bound to, and what an authenticator app shows."""
        return urlsplit(self.site_url).hostname or "localhost"

    @property
    def issuer(self) -> str:
        return f"{self.site_url.rstrip('/')}/auth/v1"
