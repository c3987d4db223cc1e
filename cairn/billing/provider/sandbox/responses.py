"""Reads the forms and builds the pages of the sandbox."""

from starlette.requests import Request
from starlette.responses import Response

from cairn.billing.provider.sandbox.page import NOTICE, STYLE
from cairn.kit import BodyTooLarge, page_response, read_form

_LONGEST_FORM = 4000


async def submitted_fields(request: Request) -> dict[str, str]:
    """The fields of the form; empty when it is larger than any of ours."""
    try:
        return await read_form(request.receive, max_bytes=_LONGEST_FORM)
    except BodyTooLarge:
        return {}


def page(title: str, body: str, status: int = 200) -> Response:
    main = f'{NOTICE}\n<div class="body">\n{body}\n</div>'
    return page_response(title, main, status, product="Cairn sandbox", style=STYLE)


def unknown() -> Response:
    body = "<h1>This page has expired</h1><p>Please start again. Nothing was charged.</p>"
    return page("Expired", f'{body}<a class="button" href="/pricing">See the prices</a>', 404)


def unavailable() -> Response:
    return page("Please try again", "<h1>Please try again in a moment</h1><p>Nothing was charged.</p>", 503)
