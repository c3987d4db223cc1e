from datetime import timedelta
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from joserfc.errors import JoseError
from joserfc.jwk import ECKey
from pydantic import BaseModel, Field, SecretStr, field_validator

from cairn.auth.public_keys import import_public_key

# A shorter secret could be guessed.
_SECRET_LENGTH = 32


class GoogleSettings(BaseModel, frozen=True, hide_input_in_errors=True):
    """Users can sign in with Google once both credentials are set."""

    client_id: str | None = None
    client_secret: SecretStr | None = None
    # The id tokens of mobile apps with these client ids are also accepted. They belong to the same Google project.
    further_client_ids: tuple[str, ...] = ()
    # The discovery document of the issuer names the endpoints and keys.
    issuer: str = "https://accounts.google.com"


class MfaSettings(BaseModel, frozen=True):
    """These settings say which second factors users may add, and how many."""

    totp: bool = True
    webauthn: bool = True
    # This also needs an SMS gateway.
    phone: bool = False
    max_factors: int = Field(default=10, ge=1)
    # Adding a factor requires a sign-in within this time, so that the thief of a session cannot add a factor.
    recent_sign_in: timedelta = timedelta(hours=24)
    # A user may enter this many wrong codes within five minutes: from each network from which a correct code has come,
    # and from all other networks together.
    tries: int = Field(default=15, ge=1)
    # These origins may also use the passkeys of this site. They must have the same host name.
    webauthn_origins: tuple[str, ...] = ()


# Validation errors do not show values, because some of them are secrets.
class AuthSettings(BaseModel, frozen=True, hide_input_in_errors=True):
    # This secret signs the two project keys, anon and service_role (HS256), and refresh tokens are derived from it.
    jwt_secret: SecretStr = Field(min_length=_SECRET_LENGTH)
    # This EC P-256 private key in PEM signs the access tokens (ES256). `new_signing_key()` generates one.
    signing_key: SecretStr

    # Users reach the deployment at this URL. The issuer of tokens is `<site_url>/auth/v1`.
    site_url: str = "http://127.0.0.1:8000"
    access_token_lifetime: timedelta = timedelta(hours=1)
    # A refresh token that was already replaced can still be used for this long.
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

    # Redirects to URLs that match one of these globs are also allowed. `*` does not match `.` or `/`, but `**` does.
    # In a host, `*` matches only a-z, digits and hyphens, and `**` also dots.
    uri_allow_list: tuple[str, ...] = ()
    # Treat every address as confirmed, without sending a confirmation email.
    mailer_autoconfirm: bool = False
    # When this is off, users can sign in only after they have confirmed their address.
    allow_unverified_email_sign_ins: bool = True
    # A change of address must be confirmed from both the old and the new address.
    mailer_secure_email_change_enabled: bool = True
    # A link in an email first shows a page with a button, because mail scanners open links too.
    mailer_confirm_links: bool = True
    # Every email with a link also has a code, for applications that ask for it on a screen of their own. Without this,
    # only the emails of `/otp` and `/reauthenticate` have one.
    mailer_codes: bool = False
    mailer_otp_exp: timedelta = timedelta(hours=1)
    mailer_otp_length: int = Field(default=6, ge=6, le=10)
    # Two emails of the same kind to the same address, requested from one IP network, must be at least this far apart.
    smtp_max_frequency: timedelta = timedelta(minutes=1)
    sms_autoconfirm: bool = False
    sms_otp_exp: timedelta = timedelta(minutes=5)
    sms_otp_length: int = Field(default=6, ge=6, le=10)
    sms_max_frequency: timedelta = timedelta(minutes=1)

    # At most this many emails and text messages about accounts are sent per hour, to all addresses together.
    rate_limit_email_sent: int = Field(default=1000, ge=1)
    rate_limit_sms_sent: int = Field(default=30, ge=1)
    # At most this many of the emails per hour go to addresses that no one has confirmed. The rest of
    # `rate_limit_email_sent` is kept for the owners of confirmed addresses.
    rate_limit_email_to_new_addresses: int = Field(default=500, ge=1)
    # One IPv4 address, or one IPv6 /48 network, can request at most this many of the emails per hour.
    rate_limit_email_per_network: int = Field(default=200, ge=1)
    # One mailbox gets at most this many emails about accounts per day. Further ones are silently not sent. Each IP
    # network from which the owner has signed in has its own count of the same size, which strangers cannot use up.
    rate_limit_email_per_address: int = Field(default=20, ge=1)
    # Any other IP network can request at most this many of these emails to the same mailbox per day.
    rate_limit_email_per_address_and_network: int = Field(default=5, ge=1)
    # These limits apply to each IP network. Anonymous sign-ups are counted per hour, the others per five minutes.
    rate_limit_anonymous_users: int = Field(default=30, ge=1)
    rate_limit_otp: int = Field(default=30, ge=1)
    rate_limit_verify: int = Field(default=30, ge=1)
    rate_limit_token_refresh: int = Field(default=150, ge=1)
    # This counts requests about second factors.
    rate_limit_factors: int = Field(default=150, ge=1)
    # These two count sign-ins started with Google and with a company's identity provider.
    rate_limit_authorize: int = Field(default=150, ge=1)
    rate_limit_sso: int = Field(default=30, ge=1)
    # The maximum number of wrong codes for one email address or phone number in a day, from all IP networks together.
    # Each network in which the owner of a phone number has used a texted code has its own count. The setting is also
    # the maximum for wrong codes of second factors of one user, from all networks from which no correct code has come.
    rate_limit_guesses: int = Field(default=30, ge=1)
    # After this many wrong passwords for one account from one IP network, the next try has to wait for one second. Each
    # further wrong password doubles the wait, up to `wrong_password_max_wait`.
    rate_limit_wrong_passwords: int = Field(default=10, ge=1)
    wrong_password_max_wait: timedelta = timedelta(minutes=15)

    # When this is set, a captcha is required to sign up, to sign in with a password, and for `/otp`, `/recover` and
    # `/resend`. The captcha service needs the `siteverify` API of hCaptcha, which Turnstile and reCAPTCHA also have.
    captcha_secret: SecretStr | None = None
    captcha_url: str = "https://api.hcaptcha.com/siteverify"

    # A new password requires a recent sign-in, the current password or an emailed code, so that the thief of a session
    # cannot choose one.
    update_password_require_reauthentication: bool = True
    # A session ends when the first time has passed since the sign-in, or the second since its last refresh. None means
    # that there is no such limit.
    sessions_timebox: timedelta | None = None
    sessions_inactivity_timeout: timedelta | None = None
    # An account has at most this many open sessions, and as many again that passed the second factor. With another
    # sign-in, the least recently used session ends.
    sessions_per_account: int = Field(default=500, ge=1)
    # A session that was not refreshed for this long is deleted with its tokens and its IP address.
    idle_session_retention: timedelta = Field(default=timedelta(days=180), ge=timedelta(days=1))
    # The log of sign-ins and changes keeps its entries for this long. Rate limits read the entries of the last 90 days.
    log_retention: timedelta = Field(default=timedelta(days=730), ge=timedelta(days=90))
    # Turn this off for clients that send only `Authorization` or no credentials at all.
    api_key_required: bool = True

    # Tokens signed with these earlier public keys (in PEM) stay valid after `signing_key` was replaced.
    retired_keys: tuple[str, ...] = ()
    # Tokens of other issuers that were signed with these public keys (in JWK, with a `kid`) are accepted too: EC P-256
    # for ES256, or RSA for RS256. Such a token may have any role, so its issuer must be as trustworthy as this server.
    verification_keys: tuple[dict[str, Any], ...] = ()
    # This encrypts stored secrets: those of second factors, the keys of mail providers, and the secrets of webhooks. If
    # it is not set, `jwt_secret` is used.
    sealing_secret: SecretStr | None = Field(default=None, min_length=_SECRET_LENGTH)
    # What these earlier secrets encrypted can still be read.
    retired_sealing_secrets: tuple[SecretStr, ...] = ()
    # Project keys that were signed with these earlier secrets are still accepted.
    retired_jwt_secrets: tuple[SecretStr, ...] = ()
    google: GoogleSettings = GoogleSettings()
    # Signed-in users may link and unlink identities.
    manual_linking: bool = False
    mfa: MfaSettings = MfaSettings()
    # Users may sign in through the identity provider of their company.
    saml: bool = False

    @field_validator("site_url")
    @classmethod
    def _check_site_url(cls, url: str) -> str:
        try:
            parts = urlsplit(url)
            has_credentials = "@" in parts.netloc
            # Reading the port raises an error if it is not a number.
            _ = parts.port
        except ValueError:
            parts, has_credentials = urlsplit(""), False
        if parts.scheme not in ("http", "https") or not parts.hostname or has_credentials:
            raise ValueError("must be a URL such as https://waivers.example.com")
        if parts.path not in ("", "/") or parts.query or parts.fragment:
            raise ValueError("must not have anything after the host and the port")
        return url

    @field_validator("signing_key")
    @classmethod
    def _check_signing_key(cls, pem: SecretStr) -> SecretStr:
        try:
            key = ECKey.import_key(pem.get_secret_value())
        except (JoseError, ValueError, TypeError):
            key = None
        if key is None or not key.is_private or key.curve_name != "P-256":
            raise ValueError("must be an EC P-256 private key in PEM")
        return pem

    @field_validator("retired_keys")
    @classmethod
    def _check_retired_keys(cls, pems: tuple[str, ...]) -> tuple[str, ...]:
        for pem in pems:
            try:
                key = ECKey.import_key(pem)
            except (JoseError, ValueError, TypeError):
                key = None
            if key is None or key.is_private or key.curve_name != "P-256":
                raise ValueError("must be EC P-256 public keys in PEM")
        return pems

    @field_validator("verification_keys")
    @classmethod
    def _check_verification_keys(cls, jwks: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
        for jwk in jwks:
            import_public_key(jwk)
        if len({jwk["kid"] for jwk in jwks}) < len(jwks):
            raise ValueError("each key needs another `kid`")
        return jwks

    @field_validator("retired_sealing_secrets", "retired_jwt_secrets")
    @classmethod
    def _check_retired_secrets(cls, secrets: tuple[SecretStr, ...]) -> tuple[SecretStr, ...]:
        if any(len(secret) < _SECRET_LENGTH for secret in secrets):
            raise ValueError(f"each must have at least {_SECRET_LENGTH} characters")
        return secrets

    @property
    def retired_sealing_values(self) -> tuple[str, ...]:
        return tuple(secret.get_secret_value() for secret in self.retired_sealing_secrets)

    @property
    def retired_jwt_values(self) -> tuple[str, ...]:
        return tuple(secret.get_secret_value() for secret in self.retired_jwt_secrets)

    @property
    def signing_key_hashes(self) -> tuple[str, ...]:
        """The hashes of the public keys: that of the current key first, then those of the retired ones."""
        return tuple(map(signing_key_hash, (self.signing_key.get_secret_value(), *self.retired_keys)))

    @property
    def host(self) -> str:
        """Passkeys are bound to this name, and authenticator apps show it."""
        return urlsplit(self.site_url).hostname or "localhost"

    @property
    def is_public(self) -> bool:
        return is_public_url(self.site_url)

    @property
    def issuer(self) -> str:
        return f"{self.site_url.rstrip('/')}/auth/v1"


def signing_key_hash(pem: str) -> str:
    """Returns the same hash for a private key and its public half."""
    return ECKey.import_key(pem).thumbprint()


def is_public_url(url: str) -> bool:
    """Returns whether this is the URL of a production site: HTTPS and not loopback.

    Such a site refuses development settings.
    """
    parts = urlsplit(url)
    return parts.scheme == "https" and not is_loopback_host(parts.hostname or "")


def is_loopback_host(host: str) -> bool:
    host = host.strip("[]").lower()
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
