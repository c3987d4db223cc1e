"""`verify-document`: checks whether a PDF, or the waiver of a printed link, was sealed by this service. Public."""

from uuid import UUID

from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call
from cairn.functions.parameters import is_pdf, parse_parameters
from cairn.waivers import look_up_document, verify_with_record


class _Parameters(BaseModel):
    waiver_id: UUID


async def verify_document(call: Call) -> Response:
    """A caller who only knows the id does not learn who signed."""
    if is_pdf(call.body):
        return JSONResponse(await verify_with_record(call.database, call.documents, call.body))
    return JSONResponse(await look_up_document(call.database, parse_parameters(call.body, _Parameters).waiver_id))
