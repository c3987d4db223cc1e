"""`evidence-pack`: everything about one waiver in one file, for its company."""

from uuid import UUID

from pydantic import BaseModel
from starlette.responses import Response

from cairn.functions.call import Call
from cairn.functions.parameters import asked, download
from cairn.waivers import evidence_pack as pack


class _Asked(BaseModel):
    waiver_id: UUID


async def evidence_pack(call: Call) -> Response:
    return download(await pack(call.database, call.documents, call.principal, asked(call.body, _Asked).waiver_id))
