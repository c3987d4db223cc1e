"""Refusals of mailed and texted proofs, of administrators' calls, of too many calls; the others are in `errors`."""

from cairn.kit import Problem

# What was asked for


class EmailMissing(Problem):
    status, code = 400, "validation_failed"
    message = "An email address is required"


class PhoneInvalid(Problem):
    status, code = 400, "validation_failed"
    message = "Invalid phone number format (E.164 required)"


class AddressMissing(Problem):
    status, code = 400, "validation_failed"
    message = "One of email or phone must be set"


class ChannelWithoutPhone(Problem):
    status, code = 400, "validation_failed"
    message = "Channel should only be specified with Phone OTP"


class ChannelUnknown(Problem):
    status, code = 400, "validation_failed"
    message = "Invalid channel, supported values are 'sms' or 'whatsapp'"


class TypeUnknown(Problem):
    status, code = 400, "validation_failed"
    message = "{place} requires a type that exists: {types}"


class VerifyNeedsOneToken(Problem):
    status, code = 400, "validation_failed"
    message = "Verify requires either a token or a token hash"


class VerifyNeedsAnAddress(Problem):
    status, code = 400, "validation_failed"
    message = "Only an email address or phone number should be provided on verify"


class HashStandsAlone(Problem):
    status, code = 400, "validation_failed"
    message = "Only the token_hash and type should be provided"


# What this installation does not offer


class EmailProviderDisabled(Problem):
    status, code = 400, "email_provider_disabled"
    message = "Email {what} are disabled"


class PhoneUnsupported(Problem):
    status, code = 400, "phone_provider_disabled"
    message = "Unsupported phone provider: no SMS gateway is set up"


class OtpSignupDisabled(Problem):
    status, code = 422, "otp_disabled"
    message = "Signups not allowed for otp"


# Addresses and what proves them


class EmailExists(Problem):
    status, code = 422, "email_exists"
    message = "A user with this email address has already been registered"


class PhoneExists(Problem):
    status, code = 422, "phone_exists"
    message = "A user with this phone number has already been registered"


class PhoneTaken(PhoneExists):
    message = "Phone number already registered by another user"


class EmailNotConfirmed(Problem):
    status, code = 400, "email_not_confirmed"
    message = "Email not confirmed"


class PhoneNotConfirmed(Problem):
    status, code = 400, "phone_not_confirmed"
    message = "Phone not confirmed"


class VerifyEmailFirst(Problem):
    status, code = 422, "email_not_confirmed"
    message = "Please verify your email first."


class VerifyPhoneFirst(Problem):
    status, code = 422, "phone_not_confirmed"
    message = "Please verify your phone first."


class NothingToReauthenticate(Problem):
    status, code = 400, "validation_failed"
    message = "Reauthentication requires the user to have an email or a phone number"


class ReauthenticationNeeded(Problem):
    status, code = 400, "reauthentication_needed"
    message = "Password update requires reauthentication"


class ReauthenticationNotValid(Problem):
    status, code = 422, "reauthentication_not_valid"
    message = "Nonce has expired or is invalid"


class AnonymousPassword(Problem):
    status, code = 422, "validation_failed"
    message = "Updating password of an anonymous user without an email or phone is not allowed"


class OtpExpired(Problem):
    """Wrong, used up or too old: whoever guesses must not learn which."""

    status, code = 403, "otp_expired"
    message = "Token has expired or is invalid"


class LinkExpired(OtpExpired):
    message = "Email link is invalid or has expired"


class SessionExpired(Problem):
    status, code = 400, "session_expired"
    message = "Invalid Refresh Token: Session Expired{why}"


# What an administrator asks


class UserIdInvalid(Problem):
    status, code = 404, "validation_failed"
    message = "user_id must be an UUID"


class NoSuchUser(Problem):
    status, code = 404, "user_not_found"
    message = "User not found"


class NoUserWithEmail(Problem):
    status, code = 404, "user_not_found"
    message = "User with this email not found"


class AddressNeeded(Problem):
    status, code = 400, "validation_failed"
    message = "Cannot create a user without either an email or phone"


class AdminInputInvalid(Problem):
    status, code = 400, "validation_failed"
    message = "{reason}"


# Too much, too often. Each says when to come back


class TooMany(Problem):
    status, code = 429, "over_request_rate_limit"
    message = "Request rate limit reached"

    def __init__(self, retry_after: int) -> None:
        super().__init__(seconds=retry_after)
        self.retry_after = retry_after


class TooManyMails(TooMany):
    code = "over_email_send_rate_limit"
    message = "email rate limit exceeded"


class MailedJustNow(TooManyMails):
    message = "For security purposes, you can only request this after {seconds} seconds."


class TooManyTexts(TooMany):
    code = "over_sms_send_rate_limit"
    message = "sms rate limit exceeded"


class TextedJustNow(TooManyTexts):
    message = "For security purposes, you can only request this after {seconds} seconds."


class CaptchaFailed(Problem):
    status, code = 400, "captcha_failed"
    message = "captcha protection: request disallowed ({reason})"


class CaptchaUnreachable(Problem):
    status, code = 503, "captcha_unreachable"
    message = "The captcha service cannot be reached at the moment."
