"""Whoever asked for a delivery hears what became of it."""

import asyncio
import contextlib
from uuid import UUID

from starlette.responses import JSONResponse, Response

from cairn.db import SERVICE
from cairn.functions.call import Call
from cairn.integrations import DeliveryState, delivery_state

# A little longer than an endpoint may take; after that the answer is, truthfully, "waiting".
_WAIT_SECONDS = 12.0
_LOOK_EVERY_SECONDS = 0.25


async def outcome_of_delivery(call: Call, delivery_id: UUID) -> Response:
    """That it did not arrive is an answer and not a refusal."""
    call.notifier.notify()
    state = await _wait(call, delivery_id)
    told = {"id": str(delivery_id), "status": state.status, "answer": state.answer, "error": state.error}
    return JSONResponse(told, 200 if _is_decided(state) else 202)


async def _wait(call: Call, delivery_id: UUID) -> DeliveryState:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_WAIT_SECONDS):
            return await _decided(call, delivery_id)
    return await _state(call, delivery_id)


async def _decided(call: Call, delivery_id: UUID) -> DeliveryState:
    async with call.notifier.listening() as woken:
        while True:
            woken.clear()
            state = await _state(call, delivery_id)
            if _is_decided(state):
                return state
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_EVERY_SECONDS):
                    await woken.wait()


def _is_decided(state: DeliveryState) -> bool:
    """One that did not arrive may wait for its next try; then it says why."""
    return state.status != "waiting" or state.error is not None


async def _state(call: Call, delivery_id: UUID) -> DeliveryState:
    async with call.database.acting_as(SERVICE, read_only=True) as connection:
        return await delivery_state(connection, delivery_id)
