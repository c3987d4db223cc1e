"""`create-checkout` returns the URL of a page that charges exactly the given amount. Visitors may call it as well."""

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from cairn.billing import MAX_AMOUNT_CENTS, MAX_DESCRIPTION_LENGTH, billing_user, open_checkout
from cairn.functions.call import Call
from cairn.functions.parameters import parse_parameters


class _Parameters(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)

    amount: int = Field(ge=1, le=MAX_AMOUNT_CENTS, strict=True)
    # The description must be one line, because it is the name of the item on the invoice.
    description: str = Field(min_length=1, max_length=MAX_DESCRIPTION_LENGTH, pattern=r"^[^\x00-\x1f\x7f]*$")


async def create_checkout(call: Call) -> Response:
    parameters = parse_parameters(call.body, _Parameters)
    user = await billing_user(call.database, call.principal)
    url = await open_checkout(call.context.billing, user, parameters.amount, parameters.description, call.network)
    return JSONResponse({"url": url}, headers={"Cache-Control": "no-store"})
