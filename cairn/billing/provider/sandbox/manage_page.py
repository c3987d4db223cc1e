"""The page on which a subscription of the sandbox is ended, after being asked once more, or kept after all."""

from collections.abc import Callable
from html import escape

from starlette.requests import Request
from starlette.responses import Response

from cairn.billing.errors import SignatureInvalid
from cairn.billing.model import TITLES
from cairn.billing.provider.sandbox import store
from cairn.billing.provider.sandbox.answer import page, typed_into, unknown
from cairn.billing.provider.sandbox.sandbox import Sandbox
from cairn.db import SERVICE
from cairn.kit import now


class ManagePage:
    def __init__(self, sandbox: Sandbox, after_write: Callable[[], None]) -> None:
        self._sandbox = sandbox
        self._after_write = after_write

    async def show(self, request: Request) -> Response:
        """Opening it changes nothing; posting does."""
        try:
            customer, back = self._sandbox.portal(request.path_params["token"], now())
        except SignatureInvalid:
            return unknown()
        asked = (await typed_into(request)).get("do") if request.method == "POST" else None
        if asked in ("end", "resume"):
            await self._sandbox.end_at_renewal(customer, ending=asked == "end", now=now())
            self._after_write()
        async with self._sandbox.database.acting_as(SERVICE, read_only=True) as connection:
            running = await store.running(connection, customer)
        home = f'<a class="button quiet" href="{escape(back)}">Back to Cairn</a>'
        return _shown(running, home, is_asked=asked == "ask")


def _shown(running: store.Running | None, home: str, *, is_asked: bool) -> Response:
    if running is None:
        return page("No subscription", f"<h1>No subscription is running</h1>{home}")
    title = f"{TITLES[running.plan]} plan"
    words, button = _choice(running, is_asked=is_asked)
    return page(title, f'<h1>{title}</h1><p>{words}</p><form method="post">{button}</form>{home}')


def _choice(running: store.Running, *, is_asked: bool) -> tuple[str, str]:
    day = running.renews_at
    until = f"{day:%B} {day.day}, {day.year}"
    if running.is_ending:
        return f"It ends on {until}. Until then it is yours.", _button("resume", "Keep the plan")
    if not is_asked:
        return f"It is renewed on {until}.", _button("ask", "Cancel subscription", "quiet")
    words = f"Do you want to end it? The plan stays yours until {until} and is not renewed. Nothing is deleted."
    return words, _button("end", "Yes, end it", "end")


def _button(does: str, words: str, look: str = "") -> str:
    return f'<button type="submit" name="do" value="{does}" class="{look}">{words}</button>'
