"""`evidence-pack` returns everything about one waiver to its company, in one file."""

from uuid import UUID

from pydantic import BaseModel
from starlette.responses import Response

from cairn.functions.call import Call
from cairn.functions.parameters import download, parse_parameters
from cairn.limits import larger_network_of
from cairn.waivers import evidence_pack as build_evidence_pack


class _Parameters(BaseModel):
    waiver_id: UUID


async def evidence_pack(call: Call) -> Response:
    call.limit_documents()
    waiver_id = parse_parameters(call.body, _Parameters).waiver_id
    async with call.context.pack_turns.turn(larger_network_of(call.ip)):
        pack = await build_evidence_pack(call.database, call.documents, call.principal, waiver_id, ip=call.ip)
    return download(pack)
