"""Refusals around second factors. Codes and texts are the wire's own."""

from cairn.auth.errors_by_mail import TooMany
from cairn.kit import Problem


class FactorTypeUnknown(Problem):
    status, code = 400, "validation_failed"
    message = "factor_type needs to be totp, phone, or webauthn"


class FactorNameTooLong(Problem):
    status, code = 400, "validation_failed"
    message = "friendly_name must have at most {limit} characters"


class FactorNameTaken(Problem):
    status, code = 422, "mfa_factor_name_conflict"
    message = 'A factor with the friendly name "{name}" for this user already exists'


class TooManyFactors(Problem):
    status, code = 422, "too_many_enrolled_mfa_factors"
    message = "Maximum number of verified factors reached, unenroll to continue"


class TotpDisabled(Problem):
    status, code = 422, "mfa_totp_enroll_not_enabled"
    message = "MFA enroll is disabled for TOTP"


class PhoneFactorDisabled(Problem):
    status, code = 422, "mfa_phone_enroll_not_enabled"
    message = "MFA enroll is disabled for Phone"


class WebauthnDisabled(Problem):
    status, code = 422, "mfa_webauthn_enroll_not_enabled"
    message = "MFA enroll is disabled for WebAuthn"


class FactorIdInvalid(Problem):
    status, code = 404, "validation_failed"
    message = "factor_id must be an UUID"


class FactorNotFound(Problem):
    status, code = 404, "mfa_factor_not_found"
    message = "Factor not found"


class ChallengeNotFound(Problem):
    status, code = 422, "mfa_factor_not_found"
    message = "MFA factor with the provided challenge ID not found"


class ChallengeExpired(Problem):
    status, code = 422, "mfa_challenge_expired"
    message = "MFA challenge {challenge_id} has expired, verify against another challenge or create a new challenge."


class ChallengeElsewhere(Problem):
    status, code = 422, "mfa_ip_address_mismatch"
    message = "Challenge and verify IP addresses mismatch"


class TotpCodeWrong(Problem):
    status, code = 422, "mfa_verification_failed"
    message = "Invalid TOTP code entered"


class PhoneCodeWrong(Problem):
    status, code = 422, "mfa_verification_rejected"
    message = "Invalid MFA Phone code entered"


class KeyNotProven(Problem):
    status, code = 422, "mfa_verification_failed"
    message = "The security key's answer cannot be accepted"


class RecoveryCodeWrong(Problem):
    status, code = 422, "mfa_verification_failed"
    message = "Invalid recovery code entered"


class TooManyTries(TooMany):
    message = "Too many wrong codes. Try again in {seconds} seconds."


class EnrolNeedsAal2(Problem):
    status, code = 403, "insufficient_aal"
    message = "AAL2 required to enroll a new factor"


class EnrolNeedsRecentSignIn(Problem):
    status, code = 403, "reauthentication_needed"
    message = "Sign in again before you add a second factor"


class RemovalNeedsAal2(Problem):
    status, code = 422, "insufficient_aal"
    message = "AAL2 required to unenroll verified factor"


class CodesNeedAal2(Problem):
    status, code = 403, "insufficient_aal"
    message = "AAL2 required to make recovery codes"


class ChangeNeedsAal2(Problem):
    status, code = 401, "insufficient_aal"
    message = "AAL2 session is required to update email or password when MFA is enabled."


class SessionNeeded(Problem):
    status, code = 403, "session_not_found"
    message = "A token without a session has no level to raise"


class UserIdInvalid(Problem):
    status, code = 404, "validation_failed"
    message = "user_id must be an UUID"


class NoSuchUser(Problem):
    status, code = 404, "user_not_found"
    message = "User not found"
