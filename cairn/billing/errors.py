"""Every refusal of this room."""

from cairn.kit import Problem


class ProviderFailed(Problem):
    status, code = 502, "payment_provider_failed"
    message = "The payment provider did not do what we asked: {reason}"


class SignatureInvalid(Problem):
    status, code = 400, "signature_invalid"
    message = "This was not signed by the payment provider, or too long ago."


class EventUnreadable(Problem):
    status, code = 400, "event_unreadable"
    message = "The event has not the shape it should have."


class TooManyCheckouts(Problem):
    status, code = 429, "too_many_checkouts"
    message = "Too many payments were begun from your network within an hour. Please try again later."


class PlanAlreadyYours(Problem):
    status, code = 409, "plan_already_yours"
    message = "The {plan} plan is yours already. Nothing was charged."


class NotSignedIn(Problem):
    status, code = 403, "not_signed_in"
    message = "Please sign in to see how you pay."


class NothingToManage(Problem):
    status, code = 404, "nothing_to_manage"
    message = "Nothing was paid yet, so there is nothing to manage."


class PlanLimitReached(Problem):
    status, code = 402, "plan_limit_reached"
    message = "{reason}"
