from collections.abc import Callable

from starlette.routing import Route

from cairn.billing.provider.sandbox.manage_page import ManagePage
from cairn.billing.provider.sandbox.payment_page import PaymentPage
from cairn.billing.provider.sandbox.sandbox import Sandbox


def sandbox_routes(sandbox: Sandbox, after_write: Callable[[], None]) -> list[Route]:
    payment_page, manage_page = PaymentPage(sandbox, after_write), ManagePage(sandbox, after_write)
    return [
        Route("/sandbox/manage/{token}", manage_page.show, methods=["GET", "POST"]),
        Route("/sandbox/{checkout_id:uuid}", payment_page.show, methods=["GET"]),
        Route("/sandbox/{checkout_id:uuid}", payment_page.pay, methods=["POST"]),
    ]
