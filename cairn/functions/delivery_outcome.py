"""Reports the outcome of a webhook delivery to the user who requested it."""

from uuid import UUID

from starlette.responses import JSONResponse, Response

from cairn.db import SERVICE
from cairn.functions.call import Call
from cairn.functions.waiting import wait_for_outcome
from cairn.integrations import DeliveryState, delivery_state

# This is a little longer than an endpoint may take. If there is no outcome by then, the status is "waiting".
_WAIT_SECONDS = 12.0


async def delivery_outcome(call: Call, delivery_id: UUID) -> Response:
    """Waits for the outcome. A failed delivery is reported with status 200, because the function itself succeeded."""

    async def read() -> DeliveryState:
        async with call.database.acting_as(SERVICE, read_only=True) as connection:
            return await delivery_state(connection, delivery_id)

    call.notifier.notify()
    state = await wait_for_outcome(call, read, _has_outcome, seconds=_WAIT_SECONDS)
    body = {"id": str(delivery_id), "status": state.status, "answer": state.response_status, "error": state.error}
    return JSONResponse(body, 200 if _has_outcome(state) else 202)


def _has_outcome(state: DeliveryState) -> bool:
    """Returns True after the first attempt. If it failed and will be retried, the status is still `waiting`."""
    return state.status != "waiting" or state.error is not None
