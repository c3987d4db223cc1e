"""Serves the built web pages.

The files are read once at the start. Their placeholders are replaced by settings, and they are compressed. This package
also sets the headers for security and caching. `cairn/site.py` decides which page belongs to which path.
"""

from cairn.pages.build import fill_placeholders, read_build
from cairn.pages.form import WHOLE_FORM, FormPage
from cairn.pages.headers import allow_framing_on, html_headers
from cairn.pages.page import Page, dynamic_response, image_page
from cairn.pages.search_engines import search_engine_files

__all__ = [
    "WHOLE_FORM",
    "FormPage",
    "Page",
    "allow_framing_on",
    "dynamic_response",
    "fill_placeholders",
    "html_headers",
    "image_page",
    "read_build",
    "search_engine_files",
]
