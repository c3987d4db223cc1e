"""`try-webhook` sends a test delivery to an endpoint and returns the outcome."""

from starlette.responses import Response

from cairn import integrations
from cairn.functions.call import Call
from cairn.functions.delivery_outcome import delivery_outcome
from cairn.functions.webhook_call import parse_endpoint_call


async def try_webhook(call: Call) -> Response:
    company_id, endpoint_id = await parse_endpoint_call(call)
    delivery_id = await integrations.send_test(call.context.webhook_sender, company_id, endpoint_id)
    return await delivery_outcome(call, delivery_id)
