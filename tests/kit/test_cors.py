"""Browsers ask before they send, and read no answer that does not name them."""

import httpx
import pytest
from starlette.responses import PlainTextResponse

from cairn.kit import Cors

FROM_A_PAGE = {"Origin": "https://rio-rafting.example"}


async def ask(method: str, **headers: str) -> httpx.Response:
    app = Cors(PlainTextResponse("refused", 401))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://cairn") as browser:
        return await browser.request(method, "/", headers={**FROM_A_PAGE, **headers})


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
async def test_an_answer_may_be_read_also_when_it_is_a_refusal(method: str) -> None:
    answer = await ask(method)

    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (401, "*")
    assert {"content-range", "retry-after"} <= set(answer.headers["access-control-expose-headers"].split(", "))


@pytest.mark.parametrize("asked", ["", "apikey,X-Mine", "apikey, x-mine"])
async def test_who_asks_first_is_let_in(asked: str) -> None:
    """Without headers of its own too, as when a page deletes by the address alone."""
    headers = {"Access-Control-Request-Headers": asked} if asked else {}

    answer = await ask("OPTIONS", **{"Access-Control-Request-Method": "PATCH"}, **headers)

    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert {"PUT", "PATCH", "DELETE", "HEAD"} <= set(answer.headers["access-control-allow-methods"].split(", "))
    allowed = answer.headers["access-control-allow-headers"].split(", ")
    assert {"authorization", "apikey", "prefer", "x-retry-count", "accept-profile"} <= set(allowed)
    assert "" not in allowed
    assert allowed.count("apikey") == 1
    assert ("x-mine" in allowed) == bool(asked)
