"""Routes are collected with decorators, and the first one that matches handles a request."""

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from cairn.kit import Routes

ROUTES = Routes()


@ROUTES.get("/boats/newest")
async def get_newest_boat(_: Request) -> Response:
    return PlainTextResponse("the newest boat")


@ROUTES.get("/boats/{name}")
@ROUTES.get("/rafts/{name}")
async def get_boat(request: Request) -> Response:
    return PlainTextResponse(f"boat {request.path_params['name']}")


@ROUTES.post("/boats/{name}")
@ROUTES.put("/boats/{name}")
@ROUTES.delete("/boats/{name}")
async def change_boat(request: Request) -> Response:
    return PlainTextResponse(f"{request.method} {request.path_params['name']}")


@pytest.mark.parametrize(
    ("method", "path", "status", "text"),
    [
        ("GET", "/boats/newest", 200, "the newest boat"),
        ("GET", "/boats/red", 200, "boat red"),
        ("GET", "/rafts/red", 200, "boat red"),
        ("HEAD", "/boats/red", 200, ""),
        ("POST", "/boats/newest", 200, "POST newest"),
        ("PUT", "/boats/red", 200, "PUT red"),
        ("DELETE", "/boats/red", 200, "DELETE red"),
        ("POST", "/rafts/red", 405, "Method Not Allowed"),
        ("GET", "/boats", 404, "Not Found"),
    ],
)
async def test_a_request_is_handled_by_the_first_route_with_its_method_and_path(
    method: str, path: str, status: int, text: str
) -> None:
    transport = httpx.ASGITransport(app=Starlette(routes=[*ROUTES]))
    async with httpx.AsyncClient(transport=transport, base_url="http://cairn.test") as client:
        response = await client.request(method, path)

    assert (response.status_code, response.text) == (status, text)
