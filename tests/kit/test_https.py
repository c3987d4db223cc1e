"""Plain HTTP is redirected only if the site has an HTTPS URL and runs behind a proxy."""

import httpx
import pytest
from starlette.responses import PlainTextResponse

from cairn.kit import HttpsOnly


async def post(site_url: str, forwarded_proto: str | None) -> httpx.Response:
    app = HttpsOnly(PlainTextResponse("served"), site_url=site_url)
    headers = {} if forwarded_proto is None else {"X-Forwarded-Proto": forwarded_proto}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://10.0.0.7:8000") as client:
        return await client.post("/rest/v1/x?a=1&b=%20", headers=headers)


@pytest.mark.accept("HOME-15")
@pytest.mark.parametrize("forwarded_proto", ["http", "http, https"])
async def test_plain_http_is_redirected_to_the_same_url_over_https(forwarded_proto: str) -> None:
    response = await post("https://waivers.example", forwarded_proto)

    assert (response.status_code, response.headers["location"]) == (308, "https://waivers.example/rest/v1/x?a=1&b=%20")


@pytest.mark.parametrize(
    ("site_url", "forwarded_proto"),
    [("https://waivers.example", "https"), ("https://waivers.example", None), ("http://127.0.0.1:8000", "http")],
)
async def test_other_requests_are_not_redirected(site_url: str, forwarded_proto: str | None) -> None:
    assert (await post(site_url, forwarded_proto)).text == "served"
