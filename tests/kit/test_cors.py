"""Browsers send a preflight request first, and read no response without CORS headers."""

import httpx
import pytest
from starlette.responses import PlainTextResponse

from cairn.kit import Cors

FROM_A_PAGE = {"Origin": "https://rio-rafting.example"}


async def send(method: str, **headers: str) -> httpx.Response:
    app = Cors(PlainTextResponse("refused", 401))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://cairn") as browser:
        return await browser.request(method, "/", headers={**FROM_A_PAGE, **headers})


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
async def test_a_page_may_read_every_response_errors_included(method: str) -> None:
    response = await send(method)

    assert (response.status_code, response.headers["access-control-allow-origin"]) == (401, "*")
    assert {"content-range", "retry-after"} <= set(response.headers["access-control-expose-headers"].split(", "))


@pytest.mark.parametrize("requested", ["", "apikey,X-Mine", "apikey, x-mine"])
async def test_a_preflight_is_allowed_with_the_headers_it_requests(requested: str) -> None:
    """A preflight may request no headers at all, for example before a DELETE that needs none."""
    headers = {"Access-Control-Request-Headers": requested} if requested else {}

    response = await send("OPTIONS", **{"Access-Control-Request-Method": "PATCH"}, **headers)

    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["access-control-allow-origin"] == "*"
    assert {"PUT", "PATCH", "DELETE", "HEAD"} <= set(response.headers["access-control-allow-methods"].split(", "))
    allowed = response.headers["access-control-allow-headers"].split(", ")
    assert {"authorization", "apikey", "prefer", "x-retry-count", "accept-profile"} <= set(allowed)
    assert "" not in allowed
    assert allowed.count("apikey") == 1
    assert ("x-mine" in allowed) == bool(requested)
