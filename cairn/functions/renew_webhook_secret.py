"""`renew-webhook-secret`: a new signing secret for an endpoint, shown only once."""

from uuid import UUID

from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from cairn import integrations
from cairn.functions.call import Call
from cairn.functions.company import connecting_company
from cairn.functions.parameters import parse_parameters


class _Parameters(BaseModel):
    id: UUID


async def renew_webhook_secret(call: Call) -> Response:
    parameters = parse_parameters(call.body, _Parameters)
    company = await connecting_company(call)
    renewed = await integrations.renew_secret(call.tools.webhook_sender, company.company_id, parameters.id)
    return JSONResponse({"id": str(renewed.id), "secret": renewed.secret}, headers={"Cache-Control": "no-store"})
