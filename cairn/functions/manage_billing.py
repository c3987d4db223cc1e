"""`manage-billing`: the URL of the payment provider's page to change the card or cancel the subscription."""

from starlette.responses import JSONResponse, Response

from cairn.billing import known_payer, open_portal
from cairn.functions.call import Call


async def manage_billing(call: Call) -> Response:
    payer = await known_payer(call.database, call.principal)
    return JSONResponse({"url": await open_portal(call.tools.billing, payer)}, headers={"Cache-Control": "no-store"})
