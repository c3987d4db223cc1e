"""Defines every error of the webhooks."""

from cairn.kit import Problem


class EndpointInvalid(Problem):
    status, code = 400, "webhook_invalid"
    message = "{reason}"


class TooManyEndpoints(Problem):
    status, code = 409, "too_many_webhooks"
    message = "A company can connect {limit} addresses. Remove one that is no longer needed."


class EndpointNotFound(Problem):
    status, code = 404, "webhook_not_found"
    message = "This address no longer exists."


class EndpointPaused(Problem):
    status, code = 409, "webhook_paused"
    message = "This address is paused. Resume it first."


class DeliveryNotFound(Problem):
    status, code = 404, "delivery_not_found"
    message = "This delivery no longer exists."


class TooOften(Problem):
    status, code = 429, "webhook_too_often"
    message = "{reason}"


class DeliveryFailed(Problem):
    """An attempt failed. The reason is shown to the company in its list of deliveries."""

    status, code = 502, "delivery_failed"
    message = "{reason}"

    def __init__(self, *, reason: str, response_status: int | None = None) -> None:
        super().__init__(reason=reason)
        self.response_status = response_status


class WaiverErased(DeliveryFailed):
    """The endpoint is not at fault, and there is nothing to send any more."""

    code = "delivery_of_erased_waiver"

    def __init__(self) -> None:
        super().__init__(reason="The waiver was erased, so nothing was sent.")


class EndpointGone(DeliveryFailed):
    """The endpoint responded with 410 Gone, so no further events are sent to it."""

    code = "endpoint_gone"
