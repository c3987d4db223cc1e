"""Whoever pressed Send hears what became of the mail."""

import asyncio
import contextlib
from uuid import UUID

from starlette.responses import JSONResponse, Response

from cairn.db import SERVICE
from cairn.functions.call import Call
from cairn.functions.errors import EmailNotDelivered
from cairn.messaging import EmailState, email_state

# They wait this long for the worker, which tries three times; after that the answer is, truthfully, "sending".
_WAIT_SECONDS = 12.0
_LOOK_EVERY_SECONDS = 0.25


async def outcome(call: Call, email_id: UUID) -> Response:
    call.bell.ring()
    state = await _wait(call, email_id)
    if state.status in ("failed", "cancelled"):
        raise EmailNotDelivered(reason=state.error, provider=state.provider)
    told = {"id": str(email_id), "status": state.status, "provider": state.provider}
    return JSONResponse(told, 202 if state.status == "sending" else 200)


async def _wait(call: Call, email_id: UUID) -> EmailState:
    """Until the worker has an answer. The worker's own ring wakes us, so this is rarely a poll."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_WAIT_SECONDS):
            return await _decided(call, email_id)
    return await _state(call, email_id)


async def _decided(call: Call, email_id: UUID) -> EmailState:
    async with call.bell.listening() as woken:
        while True:
            woken.clear()
            state = await _state(call, email_id)
            if state.status != "sending":
                return state
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_EVERY_SECONDS):
                    await woken.wait()


async def _state(call: Call, email_id: UUID) -> EmailState:
    async with call.database.acting_as(SERVICE, read_only=True) as connection:
        return await email_state(connection, email_id)
