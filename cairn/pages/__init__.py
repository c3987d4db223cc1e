"""Serves the built web pages: files are read once, completed with settings, compressed, and sent with their headers.

This package handles content security policies, caching and compression. It knows nothing about the contents of a page;
`cairn/site.py` decides which page belongs to a path.
"""

from cairn.pages.build import fill_placeholders, read_build
from cairn.pages.form import WHOLE_FORM, FormPage
from cairn.pages.headers import framed_on, html_headers
from cairn.pages.page import Page, document, picture
from cairn.pages.search_engines import search_engine_files

__all__ = [
    "WHOLE_FORM",
    "FormPage",
    "Page",
    "document",
    "fill_placeholders",
    "framed_on",
    "html_headers",
    "picture",
    "read_build",
    "search_engine_files",
]
