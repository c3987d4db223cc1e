"""The page behind "No more reminders". Opening it changes nothing, because mail scanners open every link; posting does.

A mail program may post by itself when its reader presses its own button (RFC 8058); it gets the same answer.
"""

from html import escape

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from cairn.db import SERVICE, Database, DatabaseBusy, DatabaseUnreachable
from cairn.kit import PRIVATE_PAGE
from cairn.waivers.reminders import store
from cairn.waivers.reminders.page import PAGE

ADDRESS = "/reminders/stop"
_LONGEST_FORM = 1000


def stopping(database: Database) -> Starlette:
    """Mounted at `ADDRESS`."""

    async def show(request: Request) -> Response:
        async with database.acting_as(SERVICE, read_only=True) as connection:
            reminder = await store.reminder(connection, request.path_params["reminder_id"])
        if reminder is None:
            return _unknown()
        return _stopped(reminder) if reminder.refused else _asked(reminder)

    async def act(request: Request) -> Response:
        wants_them_again = await _form(request) == b"again=yes"
        async with database.acting_as(SERVICE) as connection:
            reminder = await store.reminder(connection, request.path_params["reminder_id"])
            if reminder is None:
                return _unknown()
            await (store.allow_again if wants_them_again else store.refuse)(connection, reminder)
        return _asked(reminder, again=True) if wants_them_again else _stopped(reminder)

    return Starlette(
        routes=[
            Route("/{reminder_id:uuid}", show, methods=["GET"]),
            Route("/{reminder_id:uuid}", act, methods=["POST"]),
        ],
        exception_handlers={DatabaseUnreachable: _unavailable, DatabaseBusy: _unavailable},
    )


async def _form(request: Request) -> bytes:
    """Only one of ours matters; whatever else is posted asks for the same: no more reminders."""
    read = b""
    async for piece in request.stream():
        read += piece
        if len(read) > _LONGEST_FORM:
            return b""
    return read


def _asked(reminder: store.Reminder, *, again: bool = False) -> Response:
    company, email = escape(reminder.company_name), escape(reminder.recipient_email)
    first = f"Reminders are on again for {email}. " if again else ""
    return _page(
        f"Stop reminders from {company}?",
        f"{first}{company} will not remind {email} again. Waivers it sends you still arrive.",
        '<button type="submit" name="stop" value="yes">Stop reminders</button>',
    )


def _stopped(reminder: store.Reminder) -> Response:
    company, email = escape(reminder.company_name), escape(reminder.recipient_email)
    return _page(
        "No more reminders",
        f"{company} does not remind {email} any more. Waivers it sends you still arrive.",
        '<button type="submit" name="again" value="yes" class="quiet">Get reminders again</button>',
    )


def _unknown() -> Response:
    return _page("This link is not complete", "Please open it again from the email, or copy it as a whole.", "", 404)


async def _unavailable(_request: Request, _problem: Exception) -> Response:
    return _page("Please try again in a moment", "The service cannot be reached. Nothing was changed.", "", 503)


def _page(title: str, words: str, button: str, status: int = 200) -> Response:
    form = f'<form method="post">{button}</form>' if button else ""
    return HTMLResponse(PAGE.format(title=title, words=words, form=form), status, PRIVATE_PAGE)
