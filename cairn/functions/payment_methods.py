"""`payment-methods`: the cards of the caller or of their company."""

from starlette.responses import JSONResponse, Response

from cairn.billing import PaymentMethod, known_payer
from cairn.billing import payment_methods as methods_of
from cairn.functions.call import Call


async def payment_methods(call: Call) -> Response:
    payer = await known_payer(call.database, call.principal)
    methods = await methods_of(call.tools.billing, payer)
    body = {"paymentMethods": [_method_json(method) for method in methods]}
    return JSONResponse(body, headers={"Cache-Control": "no-store"})


def _method_json(method: PaymentMethod) -> dict[str, str | int | bool]:
    return {
        "id": method.id,
        "brand": method.brand,
        "last4": method.last4,
        "exp_month": method.exp_month,
        "exp_year": method.exp_year,
        "isDefault": method.is_default,
    }
