"""`create-checkout`: the URL at which to pay exactly the amount that was shown. Visitors may call it too."""

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from cairn.billing import MAX_AMOUNT_CENTS, MAX_DESCRIPTION_LENGTH, open_checkout, payer_of
from cairn.functions.call import Call
from cairn.functions.parameters import parse_parameters


class _Parameters(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)

    amount: int = Field(ge=1, le=MAX_AMOUNT_CENTS, strict=True)
    # One line, because it appears on bank statements.
    description: str = Field(min_length=1, max_length=MAX_DESCRIPTION_LENGTH, pattern=r"^[^\x00-\x1f\x7f]*$")


async def create_checkout(call: Call) -> Response:
    order = parse_parameters(call.body, _Parameters)
    payer = await payer_of(call.database, call.principal)
    url = await open_checkout(call.tools.billing, payer, order.amount, order.description, call.network)
    return JSONResponse({"url": url}, headers={"Cache-Control": "no-store"})
