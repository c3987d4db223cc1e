"""Settings of the auth service."""

from datetime import timedelta
from urllib.parse import urlsplit

from joserfc.errors import JoseError
from joserfc.jwk import ECKey
from pydantic import BaseModel, Field, SecretStr, field_validator


class GoogleSettings(BaseModel, frozen=True, hide_input_in_errors=True):
    """Signing in with Google. Off until both credentials are given."""

    client_id: str | None = None
    client_secret: SecretStr | None = None
    # Client ids of mobile apps in the same Google project; their id tokens are accepted too.
    further_client_ids: tuple[str, ...] = ()
    # Endpoints and keys are read from the discovery document of the issuer.
    issuer: str = "https://accounts.google.com"


class MfaSettings(BaseModel, frozen=True):
    """Which kinds of second factors users may add, and how many."""

    totp: bool = True
    webauthn: bool = True
    # Also needs an SMS gateway.
    phone: bool = False
    max_factors: int = Field(default=10, ge=1)
    # Adding a factor needs a sign-in more recent than this, so that a stolen session cannot add the thief's factor.
    recent_sign_in: timedelta = timedelta(hours=24)
    # Wrong codes a user may enter within five minutes.
    tries: int = Field(default=15, ge=1)
    # Other origins that may use the passkeys of this site; they must share its host name.
    webauthn_origins: tuple[str, ...] = ()


# Values are hidden in validation errors because most of them are secrets.
class AuthSettings(BaseModel, frozen=True, hide_input_in_errors=True):
    # Signs the project keys (HS256) and derives refresh tokens.
    jwt_secret: SecretStr = Field(min_length=32)
    # An EC P-256 private key in PEM that signs the access tokens (ES256). `new_signing_key()` generates one.
    signing_key: SecretStr

    # The public URL of the deployment. The issuer of tokens is `<site_url>/auth/v1`.
    site_url: str = "http://127.0.0.1:8000"
    access_token_lifetime: timedelta = timedelta(hours=1)
    refresh_reuse_interval: timedelta = timedelta(seconds=10)
    minimum_password_length: int = Field(default=8, ge=1, le=72)
    disable_signup: bool = False
    # A password needs at least one character from each set, for example ["abc…xyz", "0123456789"].
    password_required_characters: tuple[str, ...] = ()
    # Reject the most common leaked passwords.
    password_refuse_common: bool = True

    external_email_enabled: bool = True
    external_phone_enabled: bool = False
    external_anonymous_users_enabled: bool = False

    # Redirect targets besides the site itself, as globs: `*` does not match `.` or `/`, `**` does.
    uri_allow_list: tuple[str, ...] = ()
    # Treat every address as confirmed, without sending a confirmation email.
    mailer_autoconfirm: bool = False
    # When off, users can sign in only after they have confirmed their address.
    allow_unverified_email_sign_ins: bool = True
    # A change of address must be confirmed from both the old and the new address.
    mailer_secure_email_change_enabled: bool = True
    # A link in an email first shows a page with a button, because mail scanners open links too.
    mailer_confirm_links: bool = True
    mailer_otp_exp: timedelta = timedelta(hours=24)
    mailer_otp_length: int = Field(default=6, ge=6, le=10)
    # Minimum time between two emails of the same kind to the same address.
    smtp_max_frequency: timedelta = timedelta(minutes=1)
    sms_autoconfirm: bool = False
    sms_otp_exp: timedelta = timedelta(minutes=5)
    sms_otp_length: int = Field(default=6, ge=6, le=10)
    sms_max_frequency: timedelta = timedelta(minutes=1)

    # How many emails and how many text messages the whole deployment sends per hour.
    rate_limit_email_sent: int = Field(default=1000, ge=1)
    rate_limit_sms_sent: int = Field(default=30, ge=1)
    # Limits for one IP network: anonymous sign-ups are counted per hour, the others per five minutes.
    rate_limit_anonymous_users: int = Field(default=30, ge=1)
    rate_limit_otp: int = Field(default=30, ge=1)
    rate_limit_verify: int = Field(default=30, ge=1)
    rate_limit_token_refresh: int = Field(default=150, ge=1)
    # Sign-ins started with Google and with a company's identity provider.
    rate_limit_authorize: int = Field(default=150, ge=1)
    rate_limit_sso: int = Field(default=30, ge=1)
    # Passwords and codes tried for one account in five minutes, from all IP networks together.
    rate_limit_guesses: int = Field(default=30, ge=1)

    # When set, sign-in and every request that sends an email require a captcha. It is verified by any service with
    # hCaptcha's `siteverify` API, which Turnstile and reCAPTCHA also have.
    captcha_secret: SecretStr | None = None
    captcha_url: str = "https://api.hcaptcha.com/siteverify"

    update_password_require_reauthentication: bool = False
    # A session ends this long after sign-in and this long after its last refresh; it never ends when unset.
    sessions_timebox: timedelta | None = None
    sessions_inactivity_timeout: timedelta | None = None
    # Turn off for clients that send only `Authorization` or no credentials at all.
    api_key_required: bool = True

    # Earlier public keys in PEM; tokens signed with them stay valid after `signing_key` was replaced.
    retired_keys: tuple[str, ...] = ()
    # Encrypts the secrets of second factors. Defaults to `jwt_secret`; before changing that, set this to its old value.
    sealing_secret: SecretStr | None = Field(default=None, min_length=32)
    google: GoogleSettings = GoogleSettings()
    # Signed-in users may link and unlink identities.
    manual_linking: bool = False
    mfa: MfaSettings = MfaSettings()
    # Sign-in through companies' identity providers.
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
        """Passkeys are bound to this name, and authenticator apps show it."""
        return urlsplit(self.site_url).hostname or "localhost"

    @property
    def issuer(self) -> str:
        return f"{self.site_url.rstrip('/')}/auth/v1"
