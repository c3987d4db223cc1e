"""`renew-webhook-secret`: another signing secret for an endpoint, told once."""

from uuid import UUID

from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from cairn import integrations
from cairn.functions.call import Call
from cairn.functions.company import connecting_company
from cairn.functions.parameters import asked


class _Asked(BaseModel):
    id: UUID


async def renew_webhook_secret(call: Call) -> Response:
    wanted = asked(call.body, _Asked)
    company = await connecting_company(call)
    made = await integrations.renew_secret(call.tools.webhook_sender, company.company_id, wanted.id)
    return JSONResponse({"id": str(made.id), "secret": made.secret}, headers={"Cache-Control": "no-store"})
