"""Serves `/billing`: the webhook for the payment provider, and the pages of the sandbox."""

import logging
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cairn.billing.confirm import confirm
from cairn.billing.context import BillingContext
from cairn.billing.provider import Sandbox, sandbox_routes, unavailable_page
from cairn.db import DatabaseBusy, DatabaseUnreachable
from cairn.kit import BodyTooLarge, LargeBodiesBusy, Problem, now, read_body
from cairn.limits import larger_network_of

log = logging.getLogger(__name__)
# This is ten times the size of Stripe's largest events.
_MAX_BODY_BYTES = 512_000


def service(billing: BillingContext, after_write: Callable[[], None]) -> Starlette:
    """Mounted at `/billing`."""

    async def webhook(request: Request) -> Response:
        if request.path_params["provider"] != billing.provider.name:
            return JSONResponse({"code": "no_such_provider", "message": "This provider is not configured."}, 404)
        sender = larger_network_of(request.client and request.client.host)
        try:
            body = bytes(await read_body(request.receive, max_bytes=_MAX_BODY_BYTES, sender=sender))
        except BodyTooLarge:
            return JSONResponse({"code": "too_large", "message": "The event is too large."}, 413)
        try:
            event = billing.provider.read_event(body, request.headers.get("stripe-signature", ""), now())
        except Problem as problem:
            log.warning("refused an event of the payment provider: %s", problem)
            return JSONResponse({"code": problem.code, "message": str(problem)}, problem.status)
        if await confirm(billing.database, event):
            after_write()
        return JSONResponse({"received": True})

    pages = sandbox_routes(billing.provider, after_write) if isinstance(billing.provider, Sandbox) else []
    return Starlette(
        routes=[Route("/webhook/{provider}", webhook, methods=["POST"]), *pages],
        exception_handlers=dict.fromkeys((DatabaseUnreachable, DatabaseBusy, LargeBodiesBusy), _unavailable),
    )


async def _unavailable(request: Request, problem: Exception) -> Response:
    """Responds with 503, after which the provider sends the event again later."""
    if request.url.path.startswith("/billing/sandbox"):
        return unavailable_page()
    return JSONResponse({"code": getattr(problem, "code", ""), "message": str(problem)}, 503, {"Retry-After": "5"})
