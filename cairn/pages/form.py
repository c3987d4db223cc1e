"""A page with a form that works without a script: what was typed, and what is wrong with it, come back in the page."""

import re
from collections.abc import Mapping
from html import escape

from cairn.pages.headers import html_headers
from cairn.pages.page import Page, document, page_of

# The page is built with these in place of a field's value, of its error, and of what says that it is wrong.
_BLANK = re.compile(r'__(?P<what>VALUE|ERROR)_(?P<of>[a-z]+)__| data-field="(?P<field>[a-z]+)"')
# Under this name: what is wrong with the form as a whole.
WHOLE_FORM = "form"


class FormPage:
    def __init__(self, html: str, *, secure: bool) -> None:
        self._html = html
        self._headers = html_headers(html, secure=secure)

    def empty(self) -> Page:
        return page_of(_filled(self._html, {}, {}).encode(), self._headers)

    def returned(self, typed: Mapping[str, str], errors: Mapping[str, str]) -> Page:
        """It holds what one person typed, so nobody keeps it."""
        return document(_filled(self._html, typed, errors), {**self._headers, "Cache-Control": "no-store"})


def _filled(html: str, typed: Mapping[str, str], errors: Mapping[str, str]) -> str:
    first = next(iter(errors), None)

    def fill(blank: re.Match[str]) -> str:
        if blank["field"]:
            return _state(blank["field"], errors, is_first=blank["field"] == first)
        words = typed if blank["what"] == "VALUE" else errors
        return escape(words.get(blank["of"], ""))

    return _BLANK.sub(fill, html)


def _state(field: str, errors: Mapping[str, str], *, is_first: bool) -> str:
    if field not in errors:
        return ""
    # The browser goes there by itself, and a screen reader reads from there.
    focus = " autofocus" if is_first else ""
    return focus if field == WHOLE_FORM else f' aria-invalid="true"{focus}'
