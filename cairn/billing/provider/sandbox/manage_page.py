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
from cairn.translations import Text, spoken_date, text

_BACK = text("Back to Cairn")
_NONE_TITLE = text("No subscription is running")
_PLAN_TITLE = text("{plan} plan")
_RENEWS = text("It renews on {day}.")
_ENDS = text("It ends on {day}. You keep it until then.")
_CONFIRM = text("Cancel this plan? You keep it until {day}, and it is not renewed. Nothing is deleted.")
_KEEP = text("Keep the plan")
_CANCEL = text("Cancel subscription")
_CONFIRM_CANCEL = text("Yes, cancel it")


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
        back_link = f'<a class="button quiet" href="{escape(return_path)}">{_BACK.html()}</a>'
        return _subscription_page(subscription, back_link, confirming=action == "ask")


def _subscription_page(subscription: store.SandboxSubscription | None, back_link: str, *, confirming: bool) -> Response:
    if subscription is None:
        return sandbox_page(str(_NONE_TITLE), f"<h1>{_NONE_TITLE.html()}</h1>{back_link}")
    title = _PLAN_TITLE.format(plan=PLAN_TITLES[subscription.plan])
    message, button = _message_and_button(subscription, confirming=confirming)
    body = f'<h1>{escape(title)}</h1><p>{escape(message)}</p><form method="post">{button}</form>{back_link}'
    return sandbox_page(title, body)


def _message_and_button(subscription: store.SandboxSubscription, *, confirming: bool) -> tuple[str, str]:
    until = spoken_date(subscription.renews_at)
    if subscription.is_ending:
        return _ENDS.format(day=until), _button("resume", _KEEP)
    if not confirming:
        return _RENEWS.format(day=until), _button("ask", _CANCEL, "quiet")
    return _CONFIRM.format(day=until), _button("end", _CONFIRM_CANCEL, "danger")


def _button(action: str, label: Text, css_class: str = "") -> str:
    return f'<button type="submit" name="do" value="{action}" class="{css_class}">{label.html()}</button>'
