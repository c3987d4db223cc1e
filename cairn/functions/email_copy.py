"""`email-copy`: what became of the mail with the signer's copy; a failed one is sent again."""

import asyncio
import contextlib
from dataclasses import replace
from uuid import UUID

from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call
from cairn.functions.parameters import asked
from cairn.kit import now
from cairn.waivers import latest_copy, send_copy_again

_WAIT_SECONDS = 5.0
_LOOK_EVERY_SECONDS = 0.25
# Never called sent unless a mail server has taken it.
_SAYS = {
    "preparing": "Your document is still being prepared. The mail with your copy follows by itself.",
    "sending": "The mail with your copy is on its way. The mail server has not taken it yet.",
    "delivered": "Your copy was sent to {recipient}.",
    "kept": "This service sends no mail. Please download your copy.",
    "failed": "The mail to {recipient} was refused. Please download your copy.",
}


class _Asked(BaseModel):
    waiver_id: UUID


async def email_copy(call: Call) -> Response:
    waiver_id = asked(call.body, _Asked).waiver_id
    copy = await latest_copy(call.database, call.principal, waiver_id, now())
    if copy and copy.status == "failed" and await send_copy_again(call.database, call.documents, waiver_id, copy):
        call.notifier.notify()
        copy = replace(copy, status="sending")
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_WAIT_SECONDS), call.notifier.listening() as woken:
            while copy is None or copy.status == "sending":
                woken.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_EVERY_SECONDS):
                        await woken.wait()
                copy = await latest_copy(call.database, call.principal, waiver_id, now())
    status, recipient = ("preparing", "") if copy is None else (copy.status, copy.recipient)
    return JSONResponse({"status": status, "says": _SAYS[status].format(recipient=recipient)})
