"""Whoever pressed Send hears what became of the mail, and of the text message beside it."""

import asyncio
import contextlib
from uuid import UUID

from starlette.responses import JSONResponse, Response

from cairn.db import SERVICE
from cairn.functions.call import Call
from cairn.functions.errors import EmailNotDelivered
from cairn.messaging import EmailState, TextState, email_state, text_state

# They wait this long for the worker, which tries three times; after that the answer is, truthfully, "sending".
_WAIT_SECONDS = 12.0
_LOOK_EVERY_SECONDS = 0.25


async def outcome(call: Call, email_id: UUID, text_id: UUID | None = None) -> Response:
    call.notifier.notify()
    mail, text = await _wait(call, email_id, text_id)
    if mail.status in ("failed", "cancelled"):
        raise EmailNotDelivered(reason=mail.error, provider=mail.provider, text=_told(text))
    told: dict[str, object] = {"id": str(email_id), "status": mail.status, "provider": mail.provider}
    if text is not None:
        told["text"] = _told(text)
    return JSONResponse(told, 202 if mail.status == "sending" else 200)


def _told(text: TextState | None) -> dict[str, str | None] | None:
    return None if text is None else {"status": text.status, "error": text.error}


_States = tuple[EmailState, TextState | None]


async def _wait(call: Call, email_id: UUID, text_id: UUID | None) -> _States:
    """Until the worker has an answer. The worker's own ring wakes us, so this is rarely a poll."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_WAIT_SECONDS):
            return await _decided(call, email_id, text_id)
    return await _states(call, email_id, text_id)


async def _decided(call: Call, email_id: UUID, text_id: UUID | None) -> _States:
    async with call.notifier.listening() as woken:
        while True:
            woken.clear()
            states = await _states(call, email_id, text_id)
            if all(state is None or state.status != "sending" for state in states):
                return states
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_EVERY_SECONDS):
                    await woken.wait()


async def _states(call: Call, email_id: UUID, text_id: UUID | None) -> _States:
    async with call.database.acting_as(SERVICE, read_only=True) as connection:
        text = None if text_id is None else await text_state(connection, text_id)
        return await email_state(connection, email_id), text
