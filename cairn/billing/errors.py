"""Defines every error of billing."""

from cairn.kit import Problem


class ProviderFailed(Problem):
    status, code = 502, "payment_provider_failed"
    message = "The payment provider reported a problem: {reason}"


class SignatureInvalid(Problem):
    status, code = 400, "signature_invalid"
    message = "The signature is not the payment provider's, or it is too old."


class EventUnreadable(Problem):
    status, code = 400, "event_unreadable"
    message = "Malformed event."


class TooManyCheckouts(Problem):
    status, code = 429, "too_many_checkouts"
    message = "Too many payments were started from your network within an hour. Please try again later."


class TooManyPaymentRequests(TooManyCheckouts):
    message = (
        "Many payment pages were opened from your account or network within an hour. "
        "Please try again in {minutes} minutes."
    )


class PlanAlreadyYours(Problem):
    status, code = 409, "plan_already_yours"
    message = "You already have the {plan} plan. Nothing was charged."


class NotSignedIn(Problem):
    status, code = 403, "not_signed_in"
    message = "Please sign in to manage your plan and your card."


class NothingToManage(Problem):
    status, code = 404, "nothing_to_manage"
    message = "You have not paid for a plan yet, so there is no payment to manage."


class PlanLimitReached(Problem):
    status, code = 402, "plan_limit_reached"
    message = "{reason}"
