"""`try-webhook`: sends a test delivery to an endpoint, and returns the outcome."""

from uuid import UUID

from pydantic import BaseModel
from starlette.responses import Response

from cairn import integrations
from cairn.functions.call import Call
from cairn.functions.company import connecting_company
from cairn.functions.delivery_outcome import delivery_outcome
from cairn.functions.parameters import parse_parameters


class _Parameters(BaseModel):
    id: UUID


async def try_webhook(call: Call) -> Response:
    parameters = parse_parameters(call.body, _Parameters)
    company = await connecting_company(call)
    delivery = await integrations.send_test(call.tools.webhook_sender, company.company_id, parameters.id)
    return await delivery_outcome(call, delivery)
