"""Renders HTML forms that work without JavaScript.

After an invalid submission, the form is shown again with the entered values and the errors.
"""

import re
from collections.abc import Mapping
from html import escape

from starlette.requests import Request
from starlette.responses import Response

from cairn.pages.headers import html_headers
from cairn.pages.page import Page, dynamic_response, static_page

# The built page contains placeholders for the value of a field, for its error message, and for the attributes that mark
# the field as invalid.
_PLACEHOLDER = re.compile(
    r'__(?P<content>VALUE|ERROR)_(?P<content_field>[a-z]+)__| data-field="(?P<attributes_field>[a-z]+)"'
)
# Errors that concern the whole form have this key.
WHOLE_FORM = "form"


class FormPage:
    def __init__(self, html: str, *, site_url: str) -> None:
        self._html = html
        self._headers = html_headers(html, site_url=site_url)

    def empty(self) -> Page:
        return static_page(_render(self._html, {}, {}).encode(), self._headers)

    async def error_response(
        self, request: Request, status: int, values: Mapping[str, str], errors: Mapping[str, str]
    ) -> Response:
        """Returns a page that is not cached, because it contains what the user has entered."""
        headers = {**self._headers, "Cache-Control": "no-store"}
        return await dynamic_response(request, _render(self._html, values, errors), headers, status)


def _render(html: str, values: Mapping[str, str], errors: Mapping[str, str]) -> str:
    first_invalid = next(iter(errors), None)

    def fill(placeholder: re.Match[str]) -> str:
        if placeholder["attributes_field"]:
            return _error_attributes(
                placeholder["attributes_field"], errors, focus=placeholder["attributes_field"] == first_invalid
            )
        texts = values if placeholder["content"] == "VALUE" else errors
        return escape(texts.get(placeholder["content_field"], ""))

    return _PLACEHOLDER.sub(fill, html)


def _error_attributes(field: str, errors: Mapping[str, str], *, focus: bool) -> str:
    if field not in errors:
        return ""
    # The browser scrolls to the focused field, and a screen reader continues from there.
    autofocus = " autofocus" if focus else ""
    return autofocus if field == WHOLE_FORM else f' aria-invalid="true"{autofocus}'
