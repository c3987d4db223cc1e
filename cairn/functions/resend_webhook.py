"""`resend-webhook` sends a delivery again with the same event id, and returns the outcome."""

from uuid import UUID

from pydantic import BaseModel
from starlette.responses import Response

from cairn import integrations
from cairn.functions.call import Call
from cairn.functions.delivery_outcome import delivery_outcome
from cairn.functions.parameters import parse_parameters
from cairn.functions.webhook_call import webhook_company_id


class _Parameters(BaseModel):
    delivery: UUID


async def resend_webhook(call: Call) -> Response:
    delivery_id = parse_parameters(call.body, _Parameters).delivery
    company_id = await webhook_company_id(call)
    await integrations.resend_delivery(call.context.webhook_sender, company_id, delivery_id)
    return await delivery_outcome(call, delivery_id)
