"""The page that the link "No more reminders" of an email opens.

Only a POST changes anything, because mail scanners open every link. A mail program sends that POST itself when the
guest presses the program's own unsubscribe button (RFC 8058).
"""

from datetime import timedelta
from html import escape

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cairn.db import SERVICE, Database, DatabaseBusy, DatabaseUnreachable
from cairn.kit import LOGO, BodyTooLarge, now, page_response, read_body
from cairn.waivers.reminders import store

STOP_PATH = "/reminders/stop"
_MAX_FORM_BYTES = 1000
# A guest who pressed the button by mistake can undo it for this long. The company knows the ids of its reminders, so
# without this limit it could turn the reminders on again at any time.
_UNDO_TIME = timedelta(hours=1)


def stop_page(database: Database) -> Starlette:
    """Returns the app that the server mounts at `STOP_PATH`."""

    async def show_page(request: Request) -> Response:
        async with database.acting_as(SERVICE, read_only=True) as connection:
            reminder = await store.reminder(connection, request.path_params["reminder_id"])
        if reminder is None:
            return _unknown_link()
        if not reminder.recipient_email:
            return _erased()
        return _reminders_stopped(reminder) if reminder.has_opted_out else _confirm_stop(reminder)

    async def stop_or_resume(request: Request) -> Response:
        opts_in_again = await _read_form(request) == b"again=yes"
        async with database.acting_as(SERVICE) as connection:
            reminder = await store.reminder(connection, request.path_params["reminder_id"])
            if reminder is None:
                return _unknown_link()
            if not reminder.recipient_email:
                return _erased()
            if opts_in_again and not _can_undo(reminder):
                return _reminders_stopped(reminder)
            if opts_in_again:
                await store.opt_in_again(connection, reminder)
            else:
                await store.opt_out(connection, reminder)
        return _confirm_stop(reminder, is_on_again=True) if opts_in_again else _reminders_stopped(reminder)

    return Starlette(
        routes=[
            Route("/{reminder_id:uuid}", show_page, methods=["GET"]),
            Route("/{reminder_id:uuid}", stop_or_resume, methods=["POST"]),
        ],
        exception_handlers={DatabaseUnreachable: _unavailable, DatabaseBusy: _unavailable},
    )


def _can_undo(reminder: store.Reminder) -> bool:
    return reminder.opted_out_at is None or now() - reminder.opted_out_at < _UNDO_TIME


async def _read_form(request: Request) -> bytes:
    """Only `again=yes` matters. Any other body, even one that is too large, means: no more reminders."""
    try:
        return bytes(await read_body(request.receive, max_bytes=_MAX_FORM_BYTES))
    except BodyTooLarge:
        return b""


def _confirm_stop(reminder: store.Reminder, *, is_on_again: bool = False) -> Response:
    company, email = reminder.company_name, reminder.recipient_email
    notice = f"Reminders are on again for {email}. " if is_on_again else ""
    return _page(
        f"Stop reminders from {company}?",
        f"{notice}{company} will not remind {email} again. Waivers it sends you still arrive.",
        '<button type="submit" name="stop" value="yes">Stop reminders</button>',
    )


def _reminders_stopped(reminder: store.Reminder) -> Response:
    company, email = reminder.company_name, reminder.recipient_email
    undo_button = '<button type="submit" name="again" value="yes" class="quiet">Get reminders again</button>'
    return _page(
        "No more reminders",
        f"{company} does not remind {email} any more. Waivers it sends you still arrive.",
        undo_button if _can_undo(reminder) else "",
    )


def _unknown_link() -> Response:
    return _page("This link is not complete", "Please open it again from the email, or copy it as a whole.", "", 404)


def _erased() -> Response:
    text = "The company has erased this waiver and your address, so you get no more reminders about it."
    return _page("No more reminders", text, "")


async def _unavailable(_request: Request, _problem: Exception) -> Response:
    return _page("Please try again in a moment", "The service cannot be reached. Nothing was changed.", "", 503)


def _page(title: str, text: str, button: str, status: int = 200) -> Response:
    form = f'<form method="post">{button}</form>' if button else ""
    return page_response(title, f"{LOGO}\n<h1>{escape(title)}</h1>\n<p>{escape(text)}</p>\n{form}", status)
