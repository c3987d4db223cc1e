"""`try-webhook`: a real delivery to one's own endpoint, and the truth about what became of it."""

from uuid import UUID

from pydantic import BaseModel
from starlette.responses import Response

from cairn import integrations
from cairn.functions.call import Call
from cairn.functions.company import connecting_company
from cairn.functions.delivery import outcome_of_delivery
from cairn.functions.parameters import asked


class _Asked(BaseModel):
    id: UUID


async def try_webhook(call: Call) -> Response:
    wanted = asked(call.body, _Asked)
    company = await connecting_company(call)
    delivery = await integrations.send_test(call.tools.webhook_sender, company.company_id, wanted.id)
    return await outcome_of_delivery(call, delivery)
