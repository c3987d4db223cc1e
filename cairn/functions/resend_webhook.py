"""`resend-webhook`: sends a delivery again, under the same id."""

from uuid import UUID

from pydantic import BaseModel
from starlette.responses import Response

from cairn import integrations
from cairn.functions.call import Call
from cairn.functions.company import connecting_company
from cairn.functions.delivery_outcome import delivery_outcome
from cairn.functions.parameters import parse_parameters


class _Parameters(BaseModel):
    delivery: UUID


async def resend_webhook(call: Call) -> Response:
    parameters = parse_parameters(call.body, _Parameters)
    company = await connecting_company(call)
    await integrations.resend_delivery(call.tools.webhook_sender, company.company_id, parameters.delivery)
    return await delivery_outcome(call, parameters.delivery)
