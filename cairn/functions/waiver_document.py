"""`waiver-document` returns the sealed PDF of a waiver."""

from uuid import UUID

from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call
from cairn.functions.parameters import download, parse_parameters
from cairn.functions.waiting import wait_until
from cairn.kit import now
from cairn.messaging import Attachment
from cairn.waivers import fetch_document

# Many signers download the document immediately. The worker usually prepares it in less time than this.
_WAIT_SECONDS = 5.0


class _Parameters(BaseModel):
    waiver_id: UUID
    # The secret that the signer's browser chose when it signed.
    secret: str | None = Field(None, max_length=200)


async def waiver_document(call: Call) -> Response:
    parameters = parse_parameters(call.body, _Parameters)

    async def read() -> Attachment | None:
        return await fetch_document(
            call.database,
            call.documents,
            call.principal,
            parameters.waiver_id,
            now(),
            secret=parameters.secret,
            ip=call.ip,
        )

    document = await read()
    if document is None:
        # The call counts as waiting only from here on. So a document that is ready is returned even if too many wait.
        async with call.waiting():
            document = await wait_until(call.notifier, read, lambda found: found is not None, seconds=_WAIT_SECONDS)
    if document is None:
        return JSONResponse({"status": "preparing"}, 202, {"Retry-After": "5"})
    return download(document)
