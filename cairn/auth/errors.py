"""Every refusal of `/auth/v1`, with `errors_by_mail`. Codes and texts are the wire's own: clients compare them."""

from collections.abc import Sequence

from cairn.kit import Problem


class BadJson(Problem):
    status, code = 400, "bad_json"
    message = "Could not parse request body as JSON: {reason}"


class BodyTooLarge(Problem):
    status, code = 413, "request_entity_too_large"
    message = "Request body is larger than {limit} bytes"


class NoSuchEndpoint(Problem):
    status, code = 404, "not_found"
    message = "There is nothing at this address"


class MethodNotAllowed(Problem):
    status, code = 405, "method_not_allowed"
    message = "Method not allowed"


# What was asked for


class CredentialsMissing(Problem):
    status, code = 400, "validation_failed"
    message = "You must provide either an email or phone number and a password"


class EmailOrPhone(Problem):
    status, code = 400, "validation_failed"
    message = "Only an email address or phone number should be provided on signup."


class EmailInvalid(Problem):
    status, code = 400, "validation_failed"
    message = "Unable to validate email address: invalid format"


class EmailTooLong(Problem):
    status, code = 400, "validation_failed"
    message = "An email address is too long"


class PasswordTooLong(Problem):
    status, code = 400, "validation_failed"
    message = "Password cannot be longer than {limit} characters"


class WeakPassword(Problem):
    status, code = 422, "weak_password"
    message = "{text}"

    def __init__(self, text: str, reasons: Sequence[str]) -> None:
        super().__init__(text=text)
        self.reasons = tuple(reasons)


class RoleUnknown(Problem):
    status, code = 400, "validation_failed"
    message = "Role must be company or customer"


class NameInvalid(Problem):
    status, code = 400, "validation_failed"
    message = "Name must be a text of at most {limit} characters"


class MetadataInvalid(Problem):
    status, code = 400, "validation_failed"
    message = "User metadata cannot hold {what}"


class LogoutScopeUnknown(Problem):
    status, code = 400, "validation_failed"
    message = 'Unsupported logout scope "{scope}"'


# What this installation does not offer


class SignupDisabled(Problem):
    status, code = 422, "signup_disabled"
    message = "Signups not allowed for this instance"


class AnonymousDisabled(Problem):
    status, code = 422, "anonymous_provider_disabled"
    message = "Anonymous sign-ins are disabled"


class PhoneSignupDisabled(Problem):
    status, code = 400, "phone_provider_disabled"
    message = "Phone signups are disabled"


class PhoneLoginDisabled(Problem):
    status, code = 400, "phone_provider_disabled"
    message = "Phone logins are disabled"


class EmailChangeDisabled(Problem):
    """Retired: addresses can be changed."""

    status, code = 422, "email_change_disabled"
    message = "Changing the email address is disabled"


class GrantUnsupported(Problem):
    status, code = 400, "invalid_credentials"
    message = "unsupported_grant_type"


# Who is asking


class InvalidCredentials(Problem):
    status, code = 400, "invalid_credentials"
    message = "Invalid login credentials"


class UserAlreadyExists(Problem):
    status, code = 422, "user_already_exists"
    message = "User already registered"


class SamePassword(Problem):
    status, code = 422, "same_password"
    message = "New password should be different from the old password."


class SignInBanned(Problem):
    status, code = 400, "user_banned"
    message = "User is banned"


class UserBanned(Problem):
    status, code = 403, "user_banned"
    message = "User is banned"


class NotAdmin(Problem):
    status, code = 403, "not_admin"
    message = "User not allowed"


class NoAuthorization(Problem):
    status, code = 401, "no_authorization"
    message = "This endpoint requires a valid Bearer token"


class UserNotFound(Problem):
    status, code = 403, "user_not_found"
    message = "User from sub claim in JWT does not exist"


class SessionNotFound(Problem):
    status, code = 403, "session_not_found"
    message = "Session from session_id claim in JWT does not exist"


# Tokens. The data service words these refusals in its own accent: `reason` is the bare text, `BadClaims` the family
# of tokens that are genuine but say something that cannot be accepted (now).


class BadToken(Problem):
    status, code = 403, "bad_jwt"
    message = "invalid JWT: unable to parse or verify signature, {reason}"

    def __init__(self, reason: str) -> None:
        super().__init__(reason=reason)
        self.reason = reason


class BadClaims(BadToken):
    pass


class SubjectMissing(BadClaims):
    message = "invalid claim: missing sub claim"


class SubjectInvalid(BadClaims):
    status = 400
    message = "invalid claim: sub claim must be a UUID"


class RefreshTokenInvalid(Problem):
    status, code = 400, "validation_failed"
    message = "Refresh token is not valid"


class RefreshTokenNotFound(Problem):
    status, code = 400, "refresh_token_not_found"
    message = "Invalid Refresh Token: Refresh Token Not Found"


class RefreshTokenAlreadyUsed(Problem):
    status, code = 400, "refresh_token_already_used"
    message = "Invalid Refresh Token: Already Used"


# Passing troubles


class SessionBusy(Problem):
    status, code = 409, "conflict"
    message = "Too many requests use this session at once. Try again."


class PasswordsBusy(Problem):
    status, code = 503, "request_timeout"
    message = "Too many passwords are being checked at once. Try again."
