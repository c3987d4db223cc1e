"""The files of the browser side as they are sent: read once, filled in, compressed, with their headers.

Floor 2. It knows what a page needs on its way (policy, caching, compression) and nothing of what stands on it; which
path gets which page is the site's to say.
"""

from cairn.pages.build import filled, read_build
from cairn.pages.form import WHOLE_FORM, FormPage
from cairn.pages.headers import framed_on, html_headers
from cairn.pages.listing import listed
from cairn.pages.page import Page, document, picture

__all__ = [
    "WHOLE_FORM",
    "FormPage",
    "Page",
    "document",
    "filled",
    "framed_on",
    "html_headers",
    "listed",
    "picture",
    "read_build",
]
