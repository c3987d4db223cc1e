"""The service handles unusual HTTP: repeated headers, incomplete bodies, and invalid characters."""

from collections.abc import Iterator
from typing import Any

import pytest

from cairn.db import Database
from tests.rest.conftest import Callbacks, Client, rest_app

RETURN_ROWS = ("Prefer", "return=representation")


async def test_repeated_headers_are_joined(writable_atlas: Client) -> None:
    response = await writable_atlas.post(
        "/countries", json={"id": 9, "name": "Peru"}, headers=[RETURN_ROWS, ("Prefer", "count=exact")]
    )

    assert response.headers["preference-applied"] == "return=representation, count=exact"
    assert response.json()[0]["name"] == "Peru"


async def test_two_authorization_headers_are_rejected(atlas: Client) -> None:
    headers = [("Authorization", "Bearer anon"), ("Authorization", "Bearer service")]

    assert (await atlas.get("/rivers", headers=headers)).status_code == 401


async def test_a_cookie_is_not_a_credential(atlas: Client) -> None:
    """Otherwise a page of another site could send requests with the rights of its visitor."""
    cookies = {"Cookie": "apikey=service; authorization=Bearer service; sb-access-token=service"}

    stranger = await atlas.get("/rpc/request_settings", headers=cookies)
    service = await atlas.get("/rpc/request_settings", headers={"Authorization": "Bearer service"})

    assert (stranger.json()["role"], service.json()["role"]) == ("anon", "service_role")


async def test_the_api_key_in_the_query_string_is_not_a_filter(atlas: Client) -> None:
    response = await atlas.get("/rivers?select=id&apikey=e.y.J&id=eq.1")
    call = await atlas.get("/rpc/add?a=1&apikey=e.y.J")

    assert (response.json(), call.json()) == ([{"id": 1}], 11)
    assert "apikey" not in response.headers["content-location"]


INCOMPLETE_BODIES: list[tuple[str, str, list[bytes]]] = [
    ("/companies", "text/csv", [b"name\nRio\n"]),
    ("/rpc/enable_realtime_for_table", "application/json", []),
]


@pytest.mark.parametrize(("path", "content_type", "parts"), INCOMPLETE_BODIES)
async def test_an_incomplete_body_is_rejected_after_a_disconnect(
    database: Database, callbacks: Callbacks, path: str, content_type: str, parts: list[bytes]
) -> None:
    app = rest_app(database, callbacks)
    messages: Iterator[dict[str, Any]] = iter(
        [*({"type": "http.request", "body": part, "more_body": True} for part in parts), {"type": "http.disconnect"}]
    )
    sent_messages: list[Any] = []

    async def receive() -> dict[str, Any]:
        return next(messages)

    async def send(message: Any) -> None:
        sent_messages.append(message)

    headers = [(b"content-type", content_type.encode()), (b"apikey", b"service")]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
    await app(scope, receive, send)

    assert sent_messages[0]["status"] == 400
    assert callbacks.write_count == 0


@pytest.mark.parametrize("path", ["/countries", "/rpc/add"])
async def test_a_key_with_a_lone_surrogate_is_quoted_in_the_error(atlas: Client, path: str) -> None:
    response = await atlas.post(path, content=rb'{"\ud800": 1}')

    assert response.status_code in (400, 404)
    assert r"\ud800" in response.text
