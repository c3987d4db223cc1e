"""Checks the caller's token, finds the function, calls it, and renders its errors."""

import logging
from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cairn.db import Principal
from cairn.functions.ask_support import ask_support
from cairn.functions.call import Call, FunctionsContext
from cairn.functions.create_checkout import create_checkout
from cairn.functions.deletion import delete_account, delete_company, keep_account, keep_company
from cairn.functions.email_configuration import email_configuration
from cairn.functions.email_copy import email_copy
from cairn.functions.evidence_pack import evidence_pack
from cairn.functions.export_company import export_company
from cairn.functions.export_heads import export_heads
from cairn.functions.export_my_data import export_my_data
from cairn.functions.mail_allowance import mail_allowance
from cairn.functions.manage_billing import manage_billing
from cairn.functions.payment_methods import payment_methods
from cairn.functions.push_key import push_key
from cairn.functions.renew_webhook_secret import renew_webhook_secret
from cairn.functions.resend_webhook import resend_webhook
from cairn.functions.save_email_configuration import save_email_configuration
from cairn.functions.save_webhook import save_webhook
from cairn.functions.send_email import send_email
from cairn.functions.send_invitation import send_invitation
from cairn.functions.send_test_email import send_test_email
from cairn.functions.text_messages import text_messages
from cairn.functions.try_webhook import try_webhook
from cairn.functions.verify_document import verify_document
from cairn.functions.waiver_document import waiver_document
from cairn.functions.waiver_form import waiver_form
from cairn.kit import BodyTooLarge, Problem, log_failure, read_body, retry_headers
from cairn.limits import larger_network_of, network_of

log = logging.getLogger(__name__)

Function = Callable[[Call], Awaitable[Response]]
FUNCTIONS: dict[str, Function] = {
    "ask-support": ask_support,
    "create-checkout": create_checkout,
    "delete-account": delete_account,
    "delete-company": delete_company,
    "email-copy": email_copy,
    "email-configuration": email_configuration,
    "evidence-pack": evidence_pack,
    "export-company": export_company,
    "export-heads": export_heads,
    "export-my-data": export_my_data,
    "keep-account": keep_account,
    "keep-company": keep_company,
    "mail-allowance": mail_allowance,
    "manage-billing": manage_billing,
    "payment-methods": payment_methods,
    "renew-webhook-secret": renew_webhook_secret,
    "resend-webhook": resend_webhook,
    "save-email-configuration": save_email_configuration,
    "save-webhook": save_webhook,
    "push-key": push_key,
    "send-email": send_email,
    "send-invitation": send_invitation,
    "send-test-email": send_test_email,
    "text-messages": text_messages,
    "try-webhook": try_webhook,
    "verify-document": verify_document,
    "waiver-document": waiver_document,
    "waiver-form": waiver_form,
}
# The largest bodies are PDF files that are uploaded to be verified or read.
_MAX_BODY_BYTES = 10_000_000
# This header tells clients that the error comes from the gateway and not from the function.
_GATEWAY_ERROR = {"x-relay-error": "true"}


def service(context: FunctionsContext, *, principal_of: Callable[[str], Principal]) -> Starlette:
    """Returns the app that is mounted at `/functions/v1`. `principal_of` raises a Problem for an invalid token."""

    async def invoke(request: Request) -> Response:
        token = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        if not token:
            return _gateway_error(401, 401, "Missing authorization header")
        try:
            principal = principal_of(token)
        except Problem:
            return _gateway_error(401, 401, "Invalid JWT")
        function = FUNCTIONS.get(request.path_params["name"])
        if function is None:
            return _gateway_error(404, "NOT_FOUND", "Requested function was not found")
        ip = request.client.host if request.client else None
        try:
            body = bytes(await read_body(request.receive, max_bytes=_MAX_BODY_BYTES, sender=larger_network_of(ip)))
        except BodyTooLarge:
            return JSONResponse({"error": "The request is larger than 10 MB."}, 413)
        except Problem as problem:
            return _problem_response(problem)
        return await _run(request, function, Call(principal, body, context, network_of(ip), ip))

    methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    return Starlette(
        routes=[Route("/{name}", invoke, methods=methods), Route("/{name}/{rest:path}", invoke, methods=methods)]
    )


async def _run(request: Request, function: Function, call: Call) -> Response:
    try:
        return await function(call)
    except Problem as problem:
        return _problem_response(problem)
    except Exception as error:
        incident = log_failure(log, request, error)
        return JSONResponse({"error": "An unexpected error occurred.", "incident": incident}, 500)


def _problem_response(problem: Problem) -> Response:
    body = {"error": str(problem), "code": problem.code, **_shown_parameters(problem)}
    return JSONResponse(body, problem.status, retry_headers(problem))


def _shown_parameters(problem: Problem) -> dict[str, object]:
    """Returns the parameters that clients need, for example to show the error beside the right field."""
    shown = ("field", "reason", "provider", "text", "limit", "retry_after_seconds")
    return {name: problem.parameters[name] for name in shown if problem.parameters.get(name)}


def _gateway_error(status: int, code: int | str, message: str) -> Response:
    return JSONResponse({"code": code, "message": message}, status, _GATEWAY_ERROR)
