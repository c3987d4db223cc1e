"""`renew-webhook-secret` creates a new signing secret for an endpoint and returns it once."""

from starlette.responses import JSONResponse, Response

from cairn import integrations
from cairn.functions.call import Call
from cairn.functions.webhook_call import parse_endpoint_call


async def renew_webhook_secret(call: Call) -> Response:
    company_id, endpoint_id = await parse_endpoint_call(call)
    endpoint = await integrations.renew_secret(call.context.webhook_sender, company_id, endpoint_id)
    return JSONResponse({"id": str(endpoint.id), "secret": endpoint.secret}, headers={"Cache-Control": "no-store"})
