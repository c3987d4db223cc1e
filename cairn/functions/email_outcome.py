"""Reports the outcome of an email, and of a text message sent with it, to the user who pressed Send."""

from uuid import UUID

from starlette.responses import JSONResponse, Response

from cairn.db import SERVICE
from cairn.functions.call import Call
from cairn.functions.errors import EmailNotDelivered
from cairn.functions.waiting import wait_for_outcome
from cairn.messaging import EmailState, TextState, email_state, text_state

# The worker tries three times within this time. If there is no outcome by then, the status is "sending".
_WAIT_SECONDS = 12.0

_States = tuple[EmailState, TextState | None]


async def email_outcome(call: Call, email_id: UUID, text_id: UUID | None = None) -> Response:
    """Waits for the outcome. Raises EmailNotDelivered if the email failed or was cancelled."""

    async def read() -> _States:
        async with call.database.acting_as(SERVICE, read_only=True) as connection:
            text = None if text_id is None else await text_state(connection, text_id)
            return await email_state(connection, email_id), text

    call.notifier.notify()
    email, text = await wait_for_outcome(call, read, _has_outcome, seconds=_WAIT_SECONDS)
    if email.status in ("failed", "cancelled"):
        raise EmailNotDelivered(reason=email.error, provider=email.provider, text=_text_json(text))
    body: dict[str, object] = {"id": str(email_id), "status": email.status, "provider": email.provider}
    if text is not None:
        body["text"] = _text_json(text)
    return JSONResponse(body, 202 if email.status == "sending" else 200)


def _has_outcome(states: _States) -> bool:
    return all(state is None or state.status != "sending" for state in states)


def _text_json(text: TextState | None) -> dict[str, str | None] | None:
    return None if text is None else {"status": text.status, "error": text.error}
