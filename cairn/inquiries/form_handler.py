"""The forms of the public pages: sent as a browser without scripts sends them, answered with a page."""

from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from cairn.auth import network_of
from cairn.db import Database, DatabaseBusy, DatabaseUnreachable
from cairn.inquiries.errors import FormIncomplete, TooManyInquiries
from cairn.inquiries.form import HONEYPOT, Kind, read_form
from cairn.inquiries.receive import Writer, receive
from cairn.inquiries.settings import InquirySettings
from cairn.kit import BodyTooLarge
from cairn.kit import read_form as read_fields
from cairn.pages import WHOLE_FORM, FormPage

FORMS: Mapping[str, Kind] = {"/contact": "contact", "/demo": "demo"}
_LARGEST_BODY = 64_000
_OUT_OF_REACH = "Your message could not be stored just now. Nothing was sent; please try again in a minute."


class FormHandler:
    def __init__(
        self,
        database: Database,
        settings: InquirySettings,
        forms: Mapping[str, FormPage],
        after_write: Callable[[], None],
    ) -> None:
        self._database = database
        self._settings = settings
        self._forms = forms
        self._after_write = after_write

    def takes(self, path: str) -> bool:
        return path in self._forms

    async def answer(self, request: Request, path: str) -> Response:
        """A page to go on to, or the same form with what was typed and what is wrong with it."""
        try:
            typed = await read_fields(request.receive, limit=_LARGEST_BODY)
        except BodyTooLarge:
            return PlainTextResponse("The form is larger than any of ours.", 413)
        try:
            await self._take(request, path, typed)
        except FormIncomplete as problem:
            errors = {**problem.fields, WHOLE_FORM: str(problem)}
            return self._forms[path].with_errors(typed, errors).response(request, problem.status)
        except TooManyInquiries as problem:
            return self._forms[path].with_errors(typed, {WHOLE_FORM: str(problem)}).response(request, problem.status)
        except (DatabaseUnreachable, DatabaseBusy):
            return self._forms[path].with_errors(typed, {WHOLE_FORM: _OUT_OF_REACH}).response(request, 503)
        return RedirectResponse(f"{path}/sent", 303)

    async def _take(self, request: Request, path: str, typed: Mapping[str, str]) -> None:
        inquiry = read_form(FORMS[path], typed)
        # A program is thanked like anybody else, so that it learns nothing.
        if typed.get(HONEYPOT):
            return
        writer = Writer(network_of(request.client and request.client.host))
        await receive(self._database, inquiry, writer, self._settings)
        self._after_write()
