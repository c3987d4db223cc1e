"""Reports the outcome of a webhook delivery to the user who requested it."""

from uuid import UUID

from starlette.responses import JSONResponse, Response

from cairn.db import SERVICE
from cairn.functions.call import Call
from cairn.functions.waiting import wait_until
from cairn.integrations import DeliveryState, delivery_state

# A little longer than an endpoint may take; after that the status is, truthfully, "waiting".
_WAIT_SECONDS = 12.0


async def delivery_outcome(call: Call, delivery_id: UUID) -> Response:
    """A delivery that did not arrive is a result, not an error of this function."""

    async def read() -> DeliveryState:
        async with call.database.acting_as(SERVICE, read_only=True) as connection:
            return await delivery_state(connection, delivery_id)

    call.notifier.notify()
    state = await wait_until(call.notifier, read, _is_decided, seconds=_WAIT_SECONDS)
    body = {"id": str(delivery_id), "status": state.status, "answer": state.response_status, "error": state.error}
    return JSONResponse(body, 200 if _is_decided(state) else 202)


def _is_decided(state: DeliveryState) -> bool:
    """A failed attempt may still be retried; then the error says why it failed."""
    return state.status != "waiting" or state.error is not None
