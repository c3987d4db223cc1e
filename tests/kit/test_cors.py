"""Every response has the CORS headers that browsers need."""

import httpx
import pytest
from starlette.responses import PlainTextResponse

from cairn.kit import Cors

ORIGIN_HEADER = {"Origin": "https://rio-rafting.example"}


async def send(method: str, **headers: str) -> httpx.Response:
    app = Cors(PlainTextResponse("refused", 401))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://cairn") as browser:
        return await browser.request(method, "/", headers={**ORIGIN_HEADER, **headers})


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
async def test_a_page_may_read_every_response_including_errors(method: str) -> None:
    response = await send(method)

    assert (response.status_code, response.headers["access-control-allow-origin"]) == (401, "*")
    assert {"content-range", "retry-after"} <= set(response.headers["access-control-expose-headers"].split(", "))


@pytest.mark.parametrize("requested_headers", ["", "apikey,X-Mine", "apikey, x-mine"])
async def test_a_preflight_is_allowed_with_the_headers_it_requests(requested_headers: str) -> None:
    """A preflight may request no headers at all, for example before a DELETE that needs none."""
    headers = {"Access-Control-Request-Headers": requested_headers} if requested_headers else {}

    response = await send("OPTIONS", **{"Access-Control-Request-Method": "PATCH"}, **headers)

    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["access-control-allow-origin"] == "*"
    assert {"PUT", "PATCH", "DELETE", "HEAD"} <= set(response.headers["access-control-allow-methods"].split(", "))
    allowed_headers = response.headers["access-control-allow-headers"].split(", ")
    assert {"authorization", "apikey", "prefer", "x-retry-count", "accept-profile"} <= set(allowed_headers)
    assert "" not in allowed_headers
    assert allowed_headers.count("apikey") == 1
    assert ("x-mine" in allowed_headers) == bool(requested_headers)
