"""`email-copy` returns the status of the email with the signer's copy, and sends a failed or cancelled one again."""

from datetime import timedelta
from uuid import UUID

from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call
from cairn.functions.errors import TooManyCopies
from cairn.functions.parameters import parse_parameters
from cairn.functions.waiting import wait_until
from cairn.kit import now
from cairn.limits import Limit, take_now
from cairn.waivers import DocumentFailed, SignerCopy, latest_copy, must_request_copy, request_copy, send_copy_again

_WAIT_SECONDS = 5.0
_NOT_SENT = ("failed", "cancelled")
# A copy is reported as sent only after a mail server has accepted it.
_MESSAGES = {
    "no_document": "This text is too long for a PDF. Please ask the company for a copy. Your signature is safe.",
    "preparing": "Your document is still being prepared. The mail with your copy follows by itself.",
    "sending": "The mail with your copy is on its way. The mail server has not taken it yet.",
    "delivered": "Your copy was sent to {recipient}.",
    "kept": "This service sends no mail. Please download your copy.",
    "cancelled": "Too many emails were sent today, so your copy was not mailed. Please download it.",
    "failed": "The mail to {recipient} was refused. Please download your copy.",
}


class _Parameters(BaseModel):
    waiver_id: UUID
    # The secret that the signer's browser chose when it signed.
    secret: str | None = Field(None, max_length=200)


async def email_copy(call: Call) -> Response:
    parameters = parse_parameters(call.body, _Parameters)
    try:
        copy = await _send_if_needed(call, parameters)
    except DocumentFailed:
        status, recipient = "no_document", ""
    else:
        status, recipient = ("preparing", "") if copy is None else (copy.status, copy.recipient)
    return JSONResponse({"status": status, "says": _MESSAGES[status].format(recipient=recipient)})


async def _send_if_needed(call: Call, parameters: _Parameters) -> SignerCopy | None:
    """Waits a few seconds for the outcome. Returns None while the document is being prepared."""
    waiver_id = parameters.waiver_id

    async def read() -> SignerCopy | None:
        return await latest_copy(call.database, call.principal, waiver_id, now(), secret=parameters.secret)

    copy = await read()
    if copy is not None and copy.status not in ("sending", *_NOT_SENT):
        return copy
    # If too many calls wait, this one is refused here, before it sends anything, so it can be repeated.
    async with call.waiting():
        if await _is_to_be_sent(call, waiver_id, copy):
            await _check_limit(call)
            await _send(call, waiver_id, copy)
            call.notifier.notify()
        return await wait_until(call.notifier, read, _has_outcome, seconds=_WAIT_SECONDS)


async def _is_to_be_sent(call: Call, waiver_id: UUID, copy: SignerCopy | None) -> bool:
    """Returns True if the last email failed or was cancelled, or at the first request for the copy of a signed sample.

    No one gets such a copy without a request, because the address on it may belong to someone else.
    """
    if copy is None:
        return await must_request_copy(call.database, waiver_id)
    return copy.status in _NOT_SENT


async def _send(call: Call, waiver_id: UUID, copy: SignerCopy | None) -> None:
    if copy is None:
        await request_copy(call.database, call.documents, waiver_id)
    else:
        await send_copy_again(call.database, call.documents, waiver_id, copy)


async def _check_limit(call: Call) -> None:
    max_copies = call.context.messaging.emails.requested_copies_per_network
    limit = Limit(f"requested copies from {call.network}", max_copies, timedelta(days=1))
    wait_seconds = await take_now(call.database, limit)
    if wait_seconds is not None:
        raise TooManyCopies(retry_after_seconds=round(wait_seconds))


def _has_outcome(copy: SignerCopy | None) -> bool:
    return copy is not None and copy.status != "sending"
