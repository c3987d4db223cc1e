"""`resend-webhook`: a delivery once more, under the same id."""

from uuid import UUID

from pydantic import BaseModel
from starlette.responses import Response

from cairn import integrations
from cairn.functions.call import Call
from cairn.functions.company import connecting_company
from cairn.functions.delivery import outcome_of_delivery
from cairn.functions.parameters import asked


class _Asked(BaseModel):
    delivery: UUID


async def resend_webhook(call: Call) -> Response:
    wanted = asked(call.body, _Asked)
    company = await connecting_company(call)
    await integrations.send_again(call.tools.webhook_sender, company.company_id, wanted.delivery)
    return await outcome_of_delivery(call, wanted.delivery)
