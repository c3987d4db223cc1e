"""`waiver-document`: the sealed PDF of a waiver."""

import asyncio
import contextlib
from uuid import UUID

from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call
from cairn.functions.parameters import asked, download
from cairn.kit import now
from cairn.messaging import Attachment
from cairn.waivers import fetch_document

# Whoever has just signed presses the button at once; the worker usually needs less than this.
_WAIT_SECONDS = 5.0
_LOOK_EVERY_SECONDS = 0.25


class _Asked(BaseModel):
    waiver_id: UUID


async def waiver_document(call: Call) -> Response:
    waiver_id = asked(call.body, _Asked).waiver_id
    document = await _wait(call, waiver_id)
    if document is None:
        return JSONResponse({"status": "preparing"}, 202, {"Retry-After": "5"})
    return download(document)


async def _wait(call: Call, waiver_id: UUID) -> Attachment | None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_WAIT_SECONDS), call.notifier.listening() as woken:
            while True:
                woken.clear()
                document = await fetch_document(call.database, call.documents, call.principal, waiver_id, now())
                if document is not None:
                    return document
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_EVERY_SECONDS):
                        await woken.wait()
    return None
