"""How the pages of the sandbox are answered, and what they are asked."""

from html import escape
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from cairn.billing.provider.sandbox.page import PAGE
from cairn.kit import PRIVATE_PAGE

_LONGEST_FORM = 4000


async def typed_into(request: Request) -> dict[str, str]:
    """Nothing, when it is more than any of our forms holds."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > _LONGEST_FORM:
            return {}
    try:
        return dict(parse_qsl(body.decode("utf-8", "replace"), max_num_fields=20))
    except ValueError:
        return {}


def page(title: str, body: str, status: int = 200) -> Response:
    return HTMLResponse(PAGE.format(title=escape(title), body=body), status, PRIVATE_PAGE)


def unknown() -> Response:
    body = "<h1>This page is not open any more</h1><p>Please begin again. Nothing was charged.</p>"
    return page("Not open", f'{body}<a class="button" href="/pricing">See the prices</a>', 404)


def unavailable() -> Response:
    return page("Please try again", "<h1>Please try again in a moment</h1><p>Nothing was charged.</p>", 503)
