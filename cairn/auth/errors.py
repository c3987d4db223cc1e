"""This is the list of all errors of `/auth/v1`. Clients compare the codes and messages, so they are part of the API.

The formatter is off, because the list is easier to scan without blank lines.
"""

from collections.abc import Sequence

from cairn.kit import Problem

# fmt: off


class ValidationFailed(Problem):
    status, code = 400, "validation_failed"

# Requests
class BadJson(Problem):
    status, code, message = 400, "bad_json", "Could not parse request body as JSON: {reason}"
class BodyTooLarge(Problem):
    status, code, message = 413, "request_entity_too_large", "Request body is larger than {limit} bytes"
class EndpointNotFound(Problem):
    status, code, message = 404, "not_found", "There is nothing at this address"
class MethodNotAllowed(Problem):
    status, code, message = 405, "method_not_allowed", "Method not allowed"

# Credentials and metadata
class CredentialsMissing(ValidationFailed):
    message = "You must provide either an email or phone number and a password"
class EmailAndPhoneGiven(ValidationFailed):
    message = "Only an email address or phone number should be provided on signup."
class EmailMissing(ValidationFailed):
    message = "An email address is required"
class EmailInvalid(ValidationFailed):
    message = "Unable to validate email address: invalid format"
class EmailTooLong(ValidationFailed):
    message = "An email address is too long"
class PhoneInvalid(ValidationFailed):
    message = "Invalid phone number format (E.164 required)"
class AddressMissing(ValidationFailed):
    message = "One of email or phone must be set"
class PasswordTooLong(ValidationFailed):
    message = "Password cannot be longer than {limit} characters"
class WeakPassword(Problem):
    status, code, message = 422, "weak_password", "{text}"

    def __init__(self, text: str, reasons: Sequence[str]) -> None:
        super().__init__(text=text)
        self.reasons = tuple(reasons)
class RoleUnknown(ValidationFailed):
    message = "Role must be company or customer"
class NameInvalid(ValidationFailed):
    message = "Name must be a text of at most {limit} characters"
class MetadataInvalid(ValidationFailed):
    message = "User metadata cannot hold {what}"
class LogoutScopeUnknown(ValidationFailed):
    message = 'Unsupported logout scope "{scope}"'

# Disabled features
class SignupDisabled(Problem):
    status, code, message = 422, "signup_disabled", "Signups not allowed for this instance"
class AnonymousDisabled(Problem):
    status, code, message = 422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled"
class PhoneSignupDisabled(Problem):
    status, code, message = 400, "phone_provider_disabled", "Phone signups are disabled"
class PhoneLoginDisabled(Problem):
    status, code, message = 400, "phone_provider_disabled", "Phone logins are disabled"
class PhoneUnsupported(Problem):
    status, code, message = 400, "phone_provider_disabled", "Unsupported phone provider: no SMS gateway is set up"
class EmailProviderDisabled(Problem):
    status, code, message = 400, "email_provider_disabled", "Email {what} are disabled"
class OtpSignupDisabled(Problem):
    status, code, message = 422, "otp_disabled", "Signups not allowed for otp"
class GrantUnsupported(Problem):
    status, code, message = 400, "invalid_credentials", "unsupported_grant_type"

# Signing in
class InvalidCredentials(Problem):
    status, code, message = 400, "invalid_credentials", "Invalid login credentials"
class UserAlreadyExists(Problem):
    status, code, message = 422, "user_already_exists", "User already registered"
class SignInBanned(Problem):
    status, code, message = 400, "user_banned", "User is banned"
class UserBanned(Problem):
    status, code, message = 403, "user_banned", "User is banned"
class EmailNotConfirmed(Problem):
    status, code, message = 400, "email_not_confirmed", "Email not confirmed"
class PhoneNotConfirmed(Problem):
    status, code, message = 400, "phone_not_confirmed", "Phone not confirmed"
class PasswordsBusy(Problem):
    status, code, message = 503, "request_timeout", "Too many passwords are being checked at once. Try again."
class CaptchaFailed(Problem):
    status, code, message = 400, "captcha_failed", "captcha protection: request disallowed ({reason})"
class CaptchaUnreachable(Problem):
    status, code, message = 503, "captcha_unreachable", "The captcha service cannot be reached at the moment."

# The signed-in user
class NotAdmin(Problem):
    status, code, message = 403, "not_admin", "User not allowed"
class NoAuthorization(Problem):
    status, code, message = 401, "no_authorization", "This endpoint requires a valid Bearer token"
class UserNotFound(Problem):
    status, code, message = 403, "user_not_found", "User from sub claim in JWT does not exist"
class SessionNotFound(Problem):
    status, code, message = 403, "session_not_found", "Session from session_id claim in JWT does not exist"
class SessionBusy(Problem):
    status, code, message = 409, "conflict", "Too many requests use this session at once. Try again."
class SamePassword(Problem):
    status, code, message = 422, "same_password", "New password should be different from the old password."
class AnonymousPasswordChange(Problem):
    status, code = 422, "validation_failed"
    message = "Updating password of an anonymous user without an email or phone is not allowed"
class EmailExists(Problem):
    status, code, message = 422, "email_exists", "A user with this email address has already been registered"
class PhoneExists(Problem):
    status, code, message = 422, "phone_exists", "A user with this phone number has already been registered"
class PhoneTaken(PhoneExists):
    message = "Phone number already registered by another user"
class ReauthenticationNeeded(Problem):
    status, code, message = 400, "reauthentication_needed", "Password update requires reauthentication"
class PhoneNeedsReauthentication(ReauthenticationNeeded):
    message = "Phone update requires reauthentication"
class EmailNeedsReauthentication(ReauthenticationNeeded):
    message = "Email update requires reauthentication"
class ReauthenticationNotValid(Problem):
    status, code, message = 422, "reauthentication_not_valid", "Nonce has expired or is invalid"
class ReauthenticationNeedsAddress(ValidationFailed):
    message = "Reauthentication requires the user to have an email or a phone number"
class VerifyEmailFirst(Problem):
    status, code, message = 422, "email_not_confirmed", "Please verify your email first."
class VerifyPhoneFirst(Problem):
    status, code, message = 422, "phone_not_confirmed", "Please verify your phone first."

# Access tokens. Services with another error format show only the `reason`, without the rest of the message.
class BadToken(Problem):
    status, code = 403, "bad_jwt"
    message = "invalid JWT: unable to parse or verify signature, {reason}"

    def __init__(self, reason: str) -> None:
        super().__init__(reason=reason)
        self.reason = reason
class BadClaims(BadToken):
    """The signature is valid, but the claims cannot be accepted (for example: expired)."""
class SubjectMissing(BadClaims):
    message = "invalid claim: missing sub claim"
class SubjectInvalid(BadClaims):
    status = 400
    message = "invalid claim: sub claim must be a UUID"

# Refresh tokens
class RefreshTokenInvalid(ValidationFailed):
    message = "Refresh token is not valid"
class RefreshTokenNotFound(Problem):
    status, code, message = 400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found"
class RefreshTokenAlreadyUsed(Problem):
    status, code, message = 400, "refresh_token_already_used", "Invalid Refresh Token: Already Used"
class SessionExpired(Problem):
    status, code, message = 400, "session_expired", "Invalid Refresh Token: Session Expired{why}"

# One-time links and codes
class ChannelWithoutPhone(ValidationFailed):
    message = "Channel should only be specified with Phone OTP"
class ChannelUnknown(ValidationFailed):
    message = "Invalid channel, supported values are 'sms' or 'whatsapp'"
class TypeUnknown(ValidationFailed):
    message = "{place} requires a type that exists: {types}"
class VerifyNeedsOneToken(ValidationFailed):
    message = "Verify requires either a token or a token hash"
class VerifyNeedsOneAddress(ValidationFailed):
    message = "Only an email address or phone number should be provided on verify"
class TokenHashWithAddress(ValidationFailed):
    message = "Only the token_hash and type should be provided"
class OtpExpired(Problem):
    """The token is wrong, used or too old. The message does not say which, so that guessing reveals nothing."""
    status, code, message = 403, "otp_expired", "Token has expired or is invalid"
class LinkExpired(OtpExpired):
    message = "Email link is invalid or has expired"
class LinkPasswordWrong(Problem):
    """Shown on the page behind a link. The API never returns it."""
    status, code, message = 422, "invalid_credentials", "That is not the password of this account. Please try again."
class SignUpPasswordWrong(LinkPasswordWrong):
    message = "That is not the password of this account. Try again, or choose a new password below."

# Rate limits
class RateLimited(Problem):
    """The seconds are sent in the `Retry-After` header."""
    status, code, message = 429, "over_request_rate_limit", "Request rate limit reached"

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__(seconds=retry_after_seconds)
        self.retry_after_seconds = retry_after_seconds
class TooManyWrongPasswords(RateLimited):
    message = "Too many wrong passwords. Try again in {seconds} seconds, or get a link by email to choose a new one."
class TooManyWrongMailedCodes(RateLimited):
    message = "Too many wrong codes. Use the link in the email, or try again later."
class TooManyEmails(RateLimited):
    code, message = "over_email_send_rate_limit", "email rate limit exceeded"
class TooManyEmailsFromNetwork(TooManyEmails):
    message = "Too many emails were requested from your network. Please try again in {seconds} seconds."
class EmailSentRecently(TooManyEmails):
    message = "For security purposes, you can only request this after {seconds} seconds."
class TooManyTexts(RateLimited):
    code = "over_sms_send_rate_limit"
    message = "Too many text messages were requested. Please try again in {seconds} seconds."
class TextSentRecently(TooManyTexts):
    message = "For security purposes, you can only request this after {seconds} seconds."
class TooManyCodesRequested(TooManyTexts):
    message = "Too many codes were requested. Use the newest one, or request another in {seconds} seconds."

# Administration
class UserIdInvalid(Problem):
    status, code, message = 404, "validation_failed", "user_id must be an UUID"
class NoSuchUser(Problem):
    status, code, message = 404, "user_not_found", "User not found"
class NoUserWithEmail(Problem):
    status, code, message = 404, "user_not_found", "User with this email not found"
class NewUserWithoutAddress(ValidationFailed):
    message = "Cannot create a user without either an email or phone"
class AdminInputInvalid(ValidationFailed):
    message = "{reason}"

# Sign-in with a provider
class ProviderNotEnabled(ValidationFailed):
    message = "Unsupported provider: provider is not enabled"
class ProviderNotFound(ValidationFailed):
    message = "Unsupported provider: Provider {name} could not be found"
class ProviderUnreachable(Problem):
    status, code, message = 502, "provider_unreachable", "The sign-in provider cannot be reached at the moment"
class ProviderRejected(Problem):
    """The provider redirected the user back with an error. `reason` is the provider's text."""
    status, code, message = 403, "provider_refused", "{reason}"
class ProviderResponseInvalid(Problem):
    status, code, message = 400, "bad_oauth_callback", "The sign-in provider's answer cannot be trusted: {reason}"
class CallbackIncomplete(Problem):
    status, code, message = 400, "bad_oauth_callback", "OAuth callback with missing authorization code"
class BadState(Problem):
    status, code, message = 400, "bad_oauth_state", "OAuth state not found or expired"
class ProviderEmailUnverified(Problem):
    status, code = 422, "provider_email_needs_verification"
    message = "The address {email} has an account here, and {provider} does not vouch for it"
class IssuerNotEnabled(Problem):
    status, code, message = 400, "provider_disabled", 'Provider (issuer "{issuer}") is not enabled'

# The id_token grant reports errors as OAuth does: `{"error": ..., "error_description": ...}`.
class OAuthError(ValidationFailed):
    error = "invalid request"
class BadIdToken(OAuthError):
    message = "Bad ID token"
class IdTokenIncomplete(OAuthError):
    message = "provider or client_id and issuer required"
class NonceMissing(OAuthError):
    message = "Passed nonce and nonce in id_token should either both exist or not."
class NonceMismatch(OAuthError):
    error, message = "invalid nonce", "Nonces mismatch"

# PKCE
class ChallengeIncomplete(ValidationFailed):
    message = "PKCE flow requires code_challenge_method and code_challenge"
class ChallengeInvalid(ValidationFailed):
    message = "code challenge has to be between 43 and 128 characters of A-Z, a-z, 0-9, '-', '.', '_' and '~'"
class ChallengeMethodUnknown(ValidationFailed):
    message = "code_challenge_method must be s256 or plain"
class ExchangeIncomplete(ValidationFailed):
    message = "invalid request: both auth code and code verifier should be non-empty"
class FlowNotFound(Problem):
    status, code, message = 404, "flow_state_not_found", "invalid flow state, no valid flow state found"
class FlowExpired(Problem):
    status, code, message = 422, "flow_state_expired", "invalid flow state, flow state has expired"
class BadCodeVerifier(Problem):
    status, code, message = 400, "bad_code_verifier", "code challenge does not match previously saved code verifier"

# Identities
class ManualLinkingDisabled(Problem):
    status, code, message = 404, "manual_linking_disabled", "Manual linking is disabled"
class LinkingNeedsAal2(Problem):
    status, code, message = 403, "insufficient_aal", "AAL2 required to link an identity"
class UnlinkingNeedsAal2(Problem):
    status, code, message = 403, "insufficient_aal", "AAL2 required to unlink an identity"
class LinkingNeedsRecentSignIn(Problem):
    status, code, message = 403, "reauthentication_needed", "Sign in again before you link an identity"
class IdentityIdInvalid(Problem):
    status, code, message = 404, "validation_failed", "identity_id must be an UUID"
class IdentityNotFound(Problem):
    status, code, message = 422, "identity_not_found", "Identity doesn't exist"
class LastIdentity(Problem):
    status, code, message = 422, "single_identity_not_deletable", "User must have at least 1 identity after unlinking"
class IdentityAlreadyLinked(Problem):
    status, code, message = 422, "identity_already_exists", "Identity is already linked"
class IdentityLinkedToAnotherUser(Problem):
    status, code, message = 422, "identity_already_exists", "Identity is already linked to another user"

# SAML
class SamlDisabled(Problem):
    status, code, message = 404, "saml_provider_disabled", "SAML 2.0 is disabled"
class SsoProviderOrDomainRequired(ValidationFailed):
    message = "Exactly one of provider_id and domain must be given"
class SsoProviderNotFound(Problem):
    status, code, message = 404, "sso_provider_not_found", "No such SSO provider"
class SsoDomainNotFound(Problem):
    status, code, message = 404, "sso_provider_not_found", "No SSO provider assigned for this domain"
class SsoDomainTaken(Problem):
    status, code, message = 422, "sso_domain_already_exists", "A domain or this provider is registered already"
class SamlMetadataInvalid(ValidationFailed):
    message = "SAML metadata cannot be used: {reason}"
class SamlResponseInvalid(Problem):
    status, code = 422, "saml_assertion_invalid"
    message = "The identity provider's answer cannot be trusted: {reason}"

# Second factors
class FactorTypeUnknown(ValidationFailed):
    message = "factor_type needs to be totp, phone, or webauthn"
class FactorNameTooLong(ValidationFailed):
    message = "friendly_name must have at most {limit} characters"
class FactorNameTaken(Problem):
    status, code = 422, "mfa_factor_name_conflict"
    message = 'A factor with the friendly name "{name}" for this user already exists'
class TooManyFactors(Problem):
    status, code = 422, "too_many_enrolled_mfa_factors"
    message = "Maximum number of verified factors reached, unenroll to continue"
class TotpDisabled(Problem):
    status, code, message = 422, "mfa_totp_enroll_not_enabled", "MFA enroll is disabled for TOTP"
class PhoneFactorDisabled(Problem):
    status, code, message = 422, "mfa_phone_enroll_not_enabled", "MFA enroll is disabled for Phone"
class WebauthnDisabled(Problem):
    status, code, message = 422, "mfa_webauthn_enroll_not_enabled", "MFA enroll is disabled for WebAuthn"
class FactorIdInvalid(Problem):
    status, code, message = 404, "validation_failed", "factor_id must be an UUID"
class FactorNotFound(Problem):
    status, code, message = 404, "mfa_factor_not_found", "Factor not found"
class ChallengeNotFound(Problem):
    status, code, message = 422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found"
class ChallengeExpired(Problem):
    status, code = 422, "mfa_challenge_expired"
    message = "MFA challenge {challenge_id} has expired, verify against another challenge or create a new challenge."
class ChallengeIpMismatch(Problem):
    status, code, message = 422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch"
class TotpCodeWrong(Problem):
    status, code, message = 422, "mfa_verification_failed", "Invalid TOTP code entered"
class PhoneCodeWrong(Problem):
    status, code, message = 422, "mfa_verification_rejected", "Invalid MFA Phone code entered"
class PasskeyInvalid(Problem):
    status, code, message = 422, "mfa_verification_failed", "The security key's answer cannot be accepted"
class RecoveryCodeWrong(Problem):
    status, code, message = 422, "mfa_verification_failed", "Invalid recovery code entered"
class TooManyWrongCodes(RateLimited):
    message = "Too many wrong codes. Try again in {seconds} seconds."
class EnrolNeedsAal2(Problem):
    status, code, message = 403, "insufficient_aal", "AAL2 required to enroll a new factor"
class EnrolNeedsConfirmedEmail(Problem):
    status, code = 422, "email_not_confirmed"
    message = "Confirm your email address first. Then you can add a second factor."
class EnrolNeedsRecentSignIn(Problem):
    status, code, message = 403, "reauthentication_needed", "Sign in again before you add a second factor"
class RemovalNeedsAal2(Problem):
    status, code, message = 422, "insufficient_aal", "AAL2 required to unenroll verified factor"
class RecoveryCodesNeedAal2(Problem):
    status, code, message = 403, "insufficient_aal", "AAL2 required to make recovery codes"
class SignOutNeedsAal2(Problem):
    status, code = 403, "insufficient_aal"
    message = "AAL2 session is required to sign out other sessions when MFA is enabled."
class ChangeNeedsAal2(Problem):
    status, code = 401, "insufficient_aal"
    message = "AAL2 session is required to update email or password when MFA is enabled."
class SessionRequired(Problem):
    status, code, message = 403, "session_not_found", "A token without a session has no level to raise"
