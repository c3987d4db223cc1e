"""A body that is too large is refused while it arrives, so that it does not fill the memory of the server."""

import httpx
import pytest
from starlette.types import Message

from cairn.db import ANON
from cairn.functions import FunctionsContext, service

_CHUNK = b"x" * 1_000_000


async def test_reading_stops_soon_after_ten_megabytes(context: FunctionsContext) -> None:
    app = service(context, principal_of=lambda _token: ANON)
    chunk_count, sent_messages = 0, list[Message]()

    async def receive() -> Message:
        nonlocal chunk_count
        chunk_count += 1
        return {"type": "http.request", "body": _CHUNK, "more_body": chunk_count < 300}

    async def send(message: Message) -> None:
        sent_messages.append(message)

    scope = {
        "type": "http", "method": "POST", "path": "/verify-document", "raw_path": b"/verify-document", "root_path": "",
        "query_string": b"", "headers": [(b"authorization", b"Bearer anon")], "client": ("10.0.0.1", 1),
        "server": ("cairn", 80), "scheme": "http", "http_version": "1.1",
    }  # fmt: skip
    await app(scope, receive, send)

    assert sent_messages[0]["status"] == 413
    assert chunk_count == 11


@pytest.mark.parametrize("function", ["email-copy", "send-email", "verify-document"])
@pytest.mark.parametrize(
    "body", [b'{"name": "' + b"x" * 256_000 + b'"}', b"[" + b"{}," * 100_000 + b"{}]"], ids=["object", "list"]
)
async def test_16a5_parameters_of_more_than_256_kb_are_refused_before_they_are_parsed(
    client: httpx.AsyncClient, function: str, body: bytes
) -> None:
    response = await client.post(f"/{function}", content=body, headers={"Authorization": "Bearer anon"})

    assert (response.status_code, response.json()["code"]) == (413, "parameters_too_large")
