"""Reads the forms and builds the pages of the sandbox."""

from starlette.requests import Request
from starlette.responses import Response

from cairn.billing.provider.sandbox.page import NOTICE, STYLE
from cairn.kit import BodyTooLarge, page_response, read_form

# Every form of the sandbox is much smaller.
_MAX_FORM_BYTES = 4000


async def submitted_fields(request: Request) -> dict[str, str]:
    """Returns the fields of the form, or none if the request is too large."""
    try:
        return await read_form(request.receive, max_bytes=_MAX_FORM_BYTES)
    except BodyTooLarge:
        return {}


def sandbox_page(title: str, body: str, status: int = 200) -> Response:
    main = f'{NOTICE}\n<div class="body">\n{body}\n</div>'
    return page_response(title, main, status, product="Cairn sandbox", style=STYLE)


def expired_page() -> Response:
    body = "<h1>This page has expired</h1><p>Please start again. Nothing was charged.</p>"
    return sandbox_page("Expired", f'{body}<a class="button" href="/pricing">See the prices</a>', 404)


def unavailable_page() -> Response:
    return sandbox_page("Please try again", "<h1>Please try again in a moment</h1><p>Nothing was charged.</p>", 503)
