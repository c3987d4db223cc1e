"""`email-copy` returns the status of the email with the signer's copy. If it failed, it is sent again."""

from uuid import UUID

from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call
from cairn.functions.parameters import parse_parameters
from cairn.functions.waiting import wait_until
from cairn.kit import now
from cairn.waivers import SignerCopy, latest_copy, send_copy_again

_WAIT_SECONDS = 5.0
# A copy is reported as sent only after a mail server has accepted it.
_MESSAGES = {
    "preparing": "Your document is still being prepared. The mail with your copy follows by itself.",
    "sending": "The mail with your copy is on its way. The mail server has not taken it yet.",
    "delivered": "Your copy was sent to {recipient}.",
    "kept": "This service sends no mail. Please download your copy.",
    "failed": "The mail to {recipient} was refused. Please download your copy.",
}


class _Parameters(BaseModel):
    waiver_id: UUID
    # The secret that the signer's browser chose when it signed.
    secret: str | None = Field(None, max_length=200)


async def email_copy(call: Call) -> Response:
    parameters = parse_parameters(call.body, _Parameters)
    waiver_id = parameters.waiver_id

    async def read() -> SignerCopy | None:
        return await latest_copy(call.database, call.principal, waiver_id, now(), secret=parameters.secret)

    copy = await read()
    if copy and copy.status == "failed" and await send_copy_again(call.database, call.documents, waiver_id, copy):
        call.notifier.notify()
    copy = await wait_until(call.notifier, read, _has_outcome, seconds=_WAIT_SECONDS)
    status, recipient = ("preparing", "") if copy is None else (copy.status, copy.recipient)
    return JSONResponse({"status": status, "says": _MESSAGES[status].format(recipient=recipient)})


def _has_outcome(copy: SignerCopy | None) -> bool:
    return copy is not None and copy.status != "sending"
