"""A form that works without JavaScript: the entered values and the errors are rendered into the returned page."""

import re
from collections.abc import Mapping
from html import escape

from cairn.pages.headers import html_headers
from cairn.pages.page import Page, document, page_of

# Placeholders in the built page: the value of a field, its error message, and the attribute that marks it as invalid.
_PLACEHOLDER = re.compile(r'__(?P<what>VALUE|ERROR)_(?P<of>[a-z]+)__| data-field="(?P<field>[a-z]+)"')
# The key of errors that concern the whole form.
WHOLE_FORM = "form"


class FormPage:
    def __init__(self, html: str, *, secure: bool) -> None:
        self._html = html
        self._headers = html_headers(html, secure=secure)

    def empty(self) -> Page:
        return page_of(_render(self._html, {}, {}).encode(), self._headers)

    def with_errors(self, entered: Mapping[str, str], errors: Mapping[str, str]) -> Page:
        """This page must not be cached, because it contains what one visitor has entered."""
        return document(_render(self._html, entered, errors), {**self._headers, "Cache-Control": "no-store"})


def _render(html: str, entered: Mapping[str, str], errors: Mapping[str, str]) -> str:
    first = next(iter(errors), None)

    def fill(placeholder: re.Match[str]) -> str:
        if placeholder["field"]:
            return _state(placeholder["field"], errors, is_first=placeholder["field"] == first)
        texts = entered if placeholder["what"] == "VALUE" else errors
        return escape(texts.get(placeholder["of"], ""))

    return _PLACEHOLDER.sub(fill, html)


def _state(field: str, errors: Mapping[str, str], *, is_first: bool) -> str:
    if field not in errors:
        return ""
    # The browser scrolls to the focused field, and a screen reader continues from it.
    focus = " autofocus" if is_first else ""
    return focus if field == WHOLE_FORM else f' aria-invalid="true"{focus}'
