"""Handles the forms of the public pages. They work without JavaScript, because the response to a POST is a page."""

from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from cairn.db import Database, DatabaseBusy, DatabaseUnreachable
from cairn.inquiries.errors import FormIncomplete, TooManyInquiries
from cairn.inquiries.form import HONEYPOT, Kind, parse_inquiry
from cairn.inquiries.receive import receive_inquiry
from cairn.inquiries.settings import InquirySettings
from cairn.inquiries.store import Author
from cairn.kit import BodyTooLarge, read_form
from cairn.limits import network_of
from cairn.pages import WHOLE_FORM, FormPage

FORMS: Mapping[str, Kind] = {"/contact": "contact", "/demo": "demo"}
_MAX_BODY_BYTES = 64_000
_NOT_STORED = "Your message could not be stored just now. Nothing was sent; please try again in a minute."


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

    def handles(self, path: str) -> bool:
        return path in self._forms

    async def respond(self, request: Request, path: str) -> Response:
        """Returns a redirect to the confirmation, or the same form with its values and error messages."""
        try:
            fields = await read_form(request.receive, max_bytes=_MAX_BODY_BYTES)
        except BodyTooLarge:
            return PlainTextResponse("The form is too large.", 413)
        try:
            await self._receive_form(request, path, fields)
        except FormIncomplete as problem:
            errors, status = {**problem.fields, WHOLE_FORM: str(problem)}, problem.status
        except TooManyInquiries as problem:
            errors, status = {WHOLE_FORM: str(problem)}, problem.status
        except (DatabaseUnreachable, DatabaseBusy):
            errors, status = {WHOLE_FORM: _NOT_STORED}, 503
        else:
            return RedirectResponse(f"{path}/sent", 303)
        return await self._forms[path].error_response(request, status, fields, errors)

    async def _receive_form(self, request: Request, path: str, fields: Mapping[str, str]) -> None:
        inquiry = parse_inquiry(FORMS[path], fields)
        # A bot gets the same response as everyone else, so that it learns nothing.
        if fields.get(HONEYPOT):
            return
        author = Author(network_of(request.client and request.client.host))
        await receive_inquiry(self._database, inquiry, author, self._settings)
        self._after_write()
