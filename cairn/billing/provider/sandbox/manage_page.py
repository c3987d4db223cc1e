"""The page on which a subscription of the sandbox is cancelled, after a confirmation, or resumed."""

from collections.abc import Callable
from html import escape

from starlette.requests import Request
from starlette.responses import Response

from cairn.billing.errors import SignatureInvalid
from cairn.billing.model import PLAN_TITLES
from cairn.billing.provider.sandbox import store
from cairn.billing.provider.sandbox.responses import page, submitted_fields, unknown
from cairn.billing.provider.sandbox.sandbox import Sandbox
from cairn.db import SERVICE
from cairn.kit import now


class ManagePage:
    def __init__(self, sandbox: Sandbox, after_write: Callable[[], None]) -> None:
        self._sandbox = sandbox
        self._after_write = after_write

    async def show(self, request: Request) -> Response:
        """GET changes nothing; POST does."""
        try:
            customer, back = self._sandbox.portal(request.path_params["token"], now())
        except SignatureInvalid:
            return unknown()
        action = (await submitted_fields(request)).get("do") if request.method == "POST" else None
        if action in ("end", "resume"):
            await self._sandbox.end_at_renewal(customer, ending=action == "end", now=now())
            self._after_write()
        async with self._sandbox.database.acting_as(SERVICE, read_only=True) as connection:
            running = await store.running(connection, customer)
        home = f'<a class="button quiet" href="{escape(back)}">Back to Cairn</a>'
        return _subscription_page(running, home, confirming=action == "ask")


def _subscription_page(running: store.Running | None, home: str, *, confirming: bool) -> Response:
    if running is None:
        return page("No subscription", f"<h1>No subscription is running</h1>{home}")
    title = f"{PLAN_TITLES[running.plan]} plan"
    message, button = _choice(running, confirming=confirming)
    return page(title, f'<h1>{title}</h1><p>{message}</p><form method="post">{button}</form>{home}')


def _choice(running: store.Running, *, confirming: bool) -> tuple[str, str]:
    day = running.renews_at
    until = f"{day:%B} {day.day}, {day.year}"
    if running.is_ending:
        return f"It ends on {until}. You keep it until then.", _button("resume", "Keep the plan")
    if not confirming:
        return f"It renews on {until}.", _button("ask", "Cancel subscription", "quiet")
    message = f"Cancel this plan? You keep it until {until}, and it is not renewed. Nothing is deleted."
    return message, _button("end", "Yes, cancel it", "end")


def _button(action: str, label: str, style: str = "") -> str:
    return f'<button type="submit" name="do" value="{action}" class="{style}">{label}</button>'
