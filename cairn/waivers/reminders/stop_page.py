"""The page that the link "Stop reminders" in an email opens.

Only a POST changes anything, because mail scanners open every link. A mail program sends that POST itself when the
guest presses the program's own unsubscribe button (RFC 8058).
"""

from datetime import timedelta

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cairn.db import SERVICE, Database, DatabaseBusy, DatabaseUnreachable
from cairn.kit import BodyTooLarge, message_response, now, read_body
from cairn.translations import Text, text
from cairn.waivers.reminders import store

STOP_PATH = "/reminders/stop"
_MAX_FORM_BYTES = 1000
# A guest who pressed the button by mistake can undo it for this long. The company knows the ids of its reminders, so
# without this limit it could turn the reminders on again at any time.
_UNDO_TIME = timedelta(hours=1)

_CONFIRM_TITLE = text("Stop reminders from {company}?")
_CONFIRM_TEXT = text("{company} will not remind {email} again. You'll still receive new waivers.")
_ON_AGAIN = text("Reminders are on again for {email}.")
_STOP = text("Stop reminders")
_STOPPED_TITLE = text("No more reminders")
_STOPPED_TEXT = text("{company} will not remind {email} again. You'll still receive new waivers.")
_UNDO = text("Get reminders again")
_UNKNOWN_TITLE = text("This link is not complete")
_UNKNOWN_TEXT = text("Please open it again from the email, or copy it as a whole.")
_ERASED_TEXT = text("The company has erased this waiver and your address, so you get no more reminders about it.")
_UNAVAILABLE_TITLE = text("Please try again in a moment")
_UNAVAILABLE_TEXT = text("The service cannot be reached. Nothing was changed.")


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
    names = {"company": reminder.company_name, "email": reminder.recipient_email}
    paragraph = _CONFIRM_TEXT.format(**names)
    if is_on_again:
        paragraph = f"{_ON_AGAIN.format(**names)} {paragraph}"
    return _page(_CONFIRM_TITLE.format(**names), paragraph, _button("stop", _STOP))


def _reminders_stopped(reminder: store.Reminder) -> Response:
    paragraph = _STOPPED_TEXT.format(company=reminder.company_name, email=reminder.recipient_email)
    undo_button = _button("again", _UNDO, css_class="quiet") if _can_undo(reminder) else ""
    return _page(str(_STOPPED_TITLE), paragraph, undo_button)


def _unknown_link() -> Response:
    return _page(str(_UNKNOWN_TITLE), str(_UNKNOWN_TEXT), "", 404)


def _erased() -> Response:
    return _page(str(_STOPPED_TITLE), str(_ERASED_TEXT), "")


async def _unavailable(_request: Request, _problem: Exception) -> Response:
    return _page(str(_UNAVAILABLE_TITLE), str(_UNAVAILABLE_TEXT), "", 503)


def _button(name: str, label: Text, *, css_class: str = "") -> str:
    return f'<button type="submit" name="{name}" value="yes" class="{css_class}">{label.html()}</button>'


def _page(title: str, paragraph: str, button: str, status: int = 200) -> Response:
    form = f'<form method="post">{button}</form>' if button else ""
    return message_response(title, paragraph, status, below=form)
