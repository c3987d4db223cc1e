import httpx
import pytest
from starlette.responses import PlainTextResponse

from cairn.kit import HttpsOnly


async def ask(site_url: str, told: str | None) -> httpx.Response:
    app = HttpsOnly(PlainTextResponse("here"), site_url=site_url)
    headers = {} if told is None else {"X-Forwarded-Proto": told}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://10.0.0.7:8000") as visitor:
        return await visitor.post("/rest/v1/x?a=1&b=%20", headers=headers)


@pytest.mark.accept("HOME-15")
@pytest.mark.parametrize("told", ["http", "http, https"])
async def test_whoever_came_in_the_clear_is_sent_to_the_same_place_over_https(told: str) -> None:
    answer = await ask("https://waivers.example", told)

    assert (answer.status_code, answer.headers["location"]) == (308, "https://waivers.example/rest/v1/x?a=1&b=%20")


@pytest.mark.parametrize(
    ("site_url", "told"),
    [("https://waivers.example", "https"), ("https://waivers.example", None), ("http://127.0.0.1:8000", "http")],
)
async def test_others_are_answered(site_url: str, told: str | None) -> None:
    assert (await ask(site_url, told)).text == "here"
