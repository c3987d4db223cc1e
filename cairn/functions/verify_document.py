"""`verify-document`: anyone may ask whether a PDF, or the waiver a printed link names, is what this service sealed."""

from uuid import UUID

from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call
from cairn.functions.parameters import asked, is_pdf
from cairn.waivers import look_up_document, verify_with_record


class _Asked(BaseModel):
    waiver_id: UUID


async def verify_document(call: Call) -> Response:
    """The person who signed is not named to someone who only knows the id."""
    if is_pdf(call.body):
        return JSONResponse(await verify_with_record(call.database, call.documents, call.body))
    return JSONResponse(await look_up_document(call.database, asked(call.body, _Asked).waiver_id))
