import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from cairn.kit import ServiceRouter


def echo_app(name: str) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        path = Request(scope).url.path
        await PlainTextResponse(f"{name} at {path} below {scope['root_path']!r}")(scope, receive, send)

    return app


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/rest/v1/trips", "data at /rest/v1/trips below '/rest/v1'"),
        ("/rest/v1/", "data at /rest/v1/ below '/rest/v1'"),
        ("/rest/v1", "pages at /rest/v1 below ''"),
        ("/rest/v10/trips", "pages at /rest/v10/trips below ''"),
        ("/", "pages at / below ''"),
    ],
)
async def test_the_start_of_the_path_chooses_the_service(path: str, expected: str) -> None:
    router = ServiceRouter({"/auth/v1": echo_app("people"), "/rest/v1": echo_app("data")}, fallback=echo_app("pages"))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(router), base_url="http://cairn") as client:
        assert (await client.get(path)).text == expected
