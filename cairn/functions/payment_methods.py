"""`payment-methods` returns the cards of the caller or of their company."""

from starlette.responses import JSONResponse, Response

from cairn.billing import PaymentMethod, list_payment_methods, require_billing_user
from cairn.functions.call import Call


async def payment_methods(call: Call) -> Response:
    user = await require_billing_user(call.database, call.principal)
    methods = await list_payment_methods(call.context.billing, user, call.network)
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
