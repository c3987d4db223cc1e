"""Serves the page on which a user cancels a sandbox subscription, after a confirmation, or resumes it."""

from collections.abc import Callable
from html import escape

from starlette.requests import Request
from starlette.responses import Response

from cairn.billing.errors import SignatureInvalid
from cairn.billing.model import PLAN_TITLES
from cairn.billing.provider.sandbox import store
from cairn.billing.provider.sandbox.responses import expired_page, sandbox_page, submitted_fields
from cairn.billing.provider.sandbox.sandbox import Sandbox
from cairn.db import SERVICE
from cairn.kit import now


class ManagePage:
    def __init__(self, sandbox: Sandbox, after_write: Callable[[], None]) -> None:
        self._sandbox = sandbox
        self._after_write = after_write

    async def show(self, request: Request) -> Response:
        """Shows the subscription. A POST request first changes it."""
        try:
            customer, return_path = self._sandbox.read_portal_token(request.path_params["token"], now())
        except SignatureInvalid:
            return expired_page()
        action = (await submitted_fields(request)).get("do") if request.method == "POST" else None
        if action in ("end", "resume"):
            await self._sandbox.end_at_renewal(customer, ending=action == "end", now=now())
            self._after_write()
        async with self._sandbox.database.acting_as(SERVICE, read_only=True) as connection:
            subscription = await store.running_subscription(connection, customer)
        back_link = f'<a class="button quiet" href="{escape(return_path)}">Back to Cairn</a>'
        return _subscription_page(subscription, back_link, confirming=action == "ask")


def _subscription_page(subscription: store.SandboxSubscription | None, back_link: str, *, confirming: bool) -> Response:
    if subscription is None:
        return sandbox_page("No subscription", f"<h1>No subscription is running</h1>{back_link}")
    title = f"{PLAN_TITLES[subscription.plan]} plan"
    message, button = _message_and_button(subscription, confirming=confirming)
    return sandbox_page(title, f'<h1>{title}</h1><p>{message}</p><form method="post">{button}</form>{back_link}')


def _message_and_button(subscription: store.SandboxSubscription, *, confirming: bool) -> tuple[str, str]:
    day = subscription.renews_at
    until = f"{day:%B} {day.day}, {day.year}"
    if subscription.is_ending:
        return f"It ends on {until}. You keep it until then.", _button("resume", "Keep the plan")
    if not confirming:
        return f"It renews on {until}.", _button("ask", "Cancel subscription", "quiet")
    message = f"Cancel this plan? You keep it until {until}, and it is not renewed. Nothing is deleted."
    return message, _button("end", "Yes, cancel it", "danger")


def _button(action: str, label: str, css_class: str = "") -> str:
    return f'<button type="submit" name="do" value="{action}" class="{css_class}">{label}</button>'
