"""A body beyond the limit is refused while it arrives, so a caller cannot make the server hold it."""

from starlette.types import Message

from cairn.db import ANON
from cairn.functions import Tools, service

_CHUNK = b"x" * 1_000_000


async def test_reading_stops_soon_after_ten_megabytes(tools: Tools) -> None:
    app = service(tools, principal_of=lambda _token: ANON)
    received, sent = 0, list[Message]()

    async def receive() -> Message:
        nonlocal received
        received += 1
        return {"type": "http.request", "body": _CHUNK, "more_body": received < 300}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "POST", "path": "/verify-document", "raw_path": b"/verify-document", "root_path": "",
        "query_string": b"", "headers": [(b"authorization", b"Bearer anon")], "client": ("10.0.0.1", 1),
        "server": ("cairn", 80), "scheme": "http", "http_version": "1.1",
    }  # fmt: skip
    await app(scope, receive, send)

    assert sent[0]["status"] == 413
    assert received == 11
