"""`verify-document` checks whether a document was sealed by this deployment of Cairn.

The document is an uploaded PDF, or it is named by the id in its printed link. Anyone may call this function.
"""

from uuid import UUID

from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call
from cairn.functions.parameters import is_pdf, parse_parameters
from cairn.limits import larger_network_of
from cairn.waivers import look_up_document, verify_with_record


class _Parameters(BaseModel):
    waiver_id: UUID


async def verify_document(call: Call) -> Response:
    """Returns whether the document is genuine, without the names of people."""
    turn = call.context.look_up_limits.turn(call.ip)
    if is_pdf(call.body):
        call.limit_documents()
        network = larger_network_of(call.ip)
        verdict = await verify_with_record(call.database, call.documents, call.body, network=network, turn=turn)
        return JSONResponse(verdict)
    waiver_id = parse_parameters(call.body, _Parameters).waiver_id
    async with turn:
        return JSONResponse(await look_up_document(call.database, call.documents, waiver_id))
