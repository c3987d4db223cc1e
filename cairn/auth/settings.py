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
    # Needs an SMS gateway as well.
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
    # Sets of which a password needs one character each, such as ["abc…xyz", "0123456789"].
    password_required_characters: tuple[str, ...] = ()
    # Whether the passwords that everybody tries first are refused.
    password_refuse_common: bool = True

    external_email_enabled: bool = True
    external_phone_enabled: bool = False
    external_anonymous_users_enabled: bool = False

    # Where besides the site itself a link may lead: globs in which `*` stays between two `.` or `/`, and `**` does not.
    uri_allow_list: tuple[str, ...] = ()
    # On: an address counts as confirmed at once, and no mail is sent to ask.
    mailer_autoconfirm: bool = False
    # Off: nobody is signed in before the address is confirmed.
    allow_unverified_email_sign_ins: bool = True
    # On: a change of address is confirmed from the old and from the new one.
    mailer_secure_email_change_enabled: bool = True
    # On: a mailed link shows a page with a button first, because mail scanners open links too.
    mailer_confirm_links: bool = True
    mailer_otp_exp: timedelta = timedelta(hours=24)
    mailer_otp_length: int = Field(default=6, ge=6, le=10)
    # The least time between two mails of one kind to one address.
    smtp_max_frequency: timedelta = timedelta(minutes=1)
    sms_autoconfirm: bool = False
    sms_otp_exp: timedelta = timedelta(minutes=5)
    sms_otp_length: int = Field(default=6, ge=6, le=10)
    sms_max_frequency: timedelta = timedelta(minutes=1)

    # Per hour, for the whole installation.
    rate_limit_email_sent: int = Field(default=1000, ge=1)
    rate_limit_sms_sent: int = Field(default=30, ge=1)
    # Per network address: sign-ups by nobody in an hour, the rest in five minutes.
    rate_limit_anonymous_users: int = Field(default=30, ge=1)
    rate_limit_otp: int = Field(default=30, ge=1)
    rate_limit_verify: int = Field(default=30, ge=1)
    rate_limit_token_refresh: int = Field(default=150, ge=1)
    # Departures for Google, and for the identity provider of a company.
    rate_limit_authorize: int = Field(default=150, ge=1)
    rate_limit_sso: int = Field(default=30, ge=1)
    # Passwords and codes tried for one account in five minutes, from wherever.
    rate_limit_guesses: int = Field(default=30, ge=1)

    # Set: sign-in and whatever sends a mail ask for a captcha, checked by any service that speaks hCaptcha's
    # `siteverify`, as Turnstile and reCAPTCHA do too.
    captcha_secret: SecretStr | None = None
    captcha_url: str = "https://api.hcaptcha.com/siteverify"

    update_password_require_reauthentication: bool = False
    # A session ends this long after sign-in, and this long after its last refresh. Not set: never.
    sessions_timebox: timedelta | None = None
    sessions_inactivity_timeout: timedelta | None = None
    # Off for stacks whose clients send only `Authorization`, or nothing at all.
    api_key_required: bool = True

    # Public keys in PEM whose tokens are still good after `signing_key` was replaced.
    retired_keys: tuple[str, ...] = ()
    # Seals the secrets of second factors. Not set means `jwt_secret`; set it to the old one before changing that.
    sealing_secret: SecretStr | None = Field(default=None, min_length=32)
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
