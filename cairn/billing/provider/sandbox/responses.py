"""Reads the forms and builds the pages of the sandbox."""

from html import escape

from starlette.requests import Request
from starlette.responses import Response

from cairn.billing.provider.sandbox.page import NOTICE, STYLE
from cairn.kit import LOGO, BodyTooLarge, page_response, read_form
from cairn.translations import Text, text

# Every form of the sandbox is much smaller.
_MAX_FORM_BYTES = 4000
_SANDBOX = text("Sandbox:")
_NOTICE = text("nothing is charged here, and no card number is stored. Never enter a real card.")
_EXPIRED_TITLE = text("This page has expired")
_EXPIRED_TEXT = text("Please start again. Nothing was charged.")
_SEE_PRICES = text("See the prices")
_UNAVAILABLE_TITLE = text("Please try again in a moment")
_UNAVAILABLE_TEXT = text("Nothing was charged.")


async def submitted_fields(request: Request) -> dict[str, str]:
    """Returns the fields of the form, or none if the request is too large."""
    try:
        return await read_form(request.receive, max_bytes=_MAX_FORM_BYTES)
    except BodyTooLarge:
        return {}


def sandbox_page(title: str, body: str, status: int = 200) -> Response:
    notice = NOTICE.format(sandbox=_SANDBOX.html(), notice=_NOTICE.html())
    main = f'{notice}\n<div class="body">\n{LOGO}\n{body}\n</div>'
    return page_response(title, main, status, product="Cairn sandbox", style=STYLE)


def expired_page() -> Response:
    link = f'<a class="button" href="/pricing">{_SEE_PRICES.html()}</a>'
    return message_page(_EXPIRED_TITLE, str(_EXPIRED_TEXT), link, 404)


def unavailable_page() -> Response:
    return message_page(_UNAVAILABLE_TITLE, str(_UNAVAILABLE_TEXT), "", 503)


def message_page(title: Text, paragraph: str, below: str, status: int = 200) -> Response:
    """Returns a page with one message. `below` is HTML."""
    return sandbox_page(str(title), f"<h1>{title.html()}</h1><p>{escape(paragraph)}</p>{below}", status)
