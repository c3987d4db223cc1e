import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


@pytest.mark.parametrize("path", ["/", "/rest/v1/trips", "/realtime/v10", "/realtime/v1/websocket"])
async def test_18a9_only_one_service_gets_websockets(path: str) -> None:
    """18A9 in docs/security.md: an upgrade anywhere else was a server error with a traceback in the log."""
    opened: list[str] = []
    sent: list[Message] = []

    async def open_websocket(scope: Scope, _receive: Receive, _send: Send) -> None:
        opened.append(scope["path"])

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    services = {"/rest/v1": open_websocket, "/realtime/v1": open_websocket}
    router = ServiceRouter(services, fallback=open_websocket, websockets="/realtime/v1")
    await router({"type": "websocket", "path": path}, receive, send)

    is_realtime = path == "/realtime/v1/websocket"
    assert opened == ([path] if is_realtime else [])
    assert sent == ([] if is_realtime else [{"type": "websocket.close", "code": 1008}])
