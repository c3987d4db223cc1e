"""Every refusal of the webhooks, and why a delivery did not arrive."""

from cairn.kit import Problem


class WebhookInvalid(Problem):
    status, code = 400, "webhook_invalid"
    message = "{reason}"


class TooManyWebhooks(Problem):
    status, code = 409, "too_many_webhooks"
    message = "A company can connect {limit} addresses. Remove one that is no longer needed."


class WebhookNotFound(Problem):
    status, code = 404, "webhook_not_found"
    message = "There is no such address any more."


class WebhookPaused(Problem):
    status, code = 409, "webhook_paused"
    message = "This address is paused. Resume it first."


class DeliveryNotFound(Problem):
    status, code = 404, "delivery_not_found"
    message = "There is no such delivery any more."


class TooOften(Problem):
    status, code = 429, "webhook_too_often"
    message = "{reason}"


class DeliveryFailed(Problem):
    """Told to the company under its deliveries."""

    status, code = 502, "delivery_failed"
    message = "{reason}"

    def __init__(self, *, reason: str, answer: int | None = None) -> None:
        super().__init__(reason=reason)
        self.answer = answer


class EndpointGone(DeliveryFailed):
    """It says itself that it wants nothing any more."""

    code = "endpoint_gone"
