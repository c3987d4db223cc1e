"""`manage-billing` returns the URL of the payment provider's page to change the card or cancel the subscription."""

from starlette.responses import JSONResponse, Response

from cairn.billing import open_portal, require_billing_user
from cairn.functions.call import Call


async def manage_billing(call: Call) -> Response:
    user = await require_billing_user(call.database, call.principal)
    url = await open_portal(call.context.billing, user, call.network)
    return JSONResponse({"url": url}, headers={"Cache-Control": "no-store"})
