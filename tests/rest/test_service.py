"""What HTTP itself may bring: lines that repeat, bodies that stop, and characters that are none."""

from collections.abc import Iterator
from typing import Any

import pytest

from cairn.db import Database
from cairn.rest import RestSettings, service
from tests.rest.conftest import Client, Door

BACK = ("Prefer", "return=representation")


async def test_lines_of_the_same_name_are_one_list(own_atlas: Client) -> None:
    answer = await own_atlas.post(
        "/countries", json={"id": 9, "name": "Peru"}, headers=[BACK, ("Prefer", "count=exact")]
    )

    assert answer.headers["preference-applied"] == "return=representation, count=exact"
    assert answer.json()[0]["name"] == "Peru"


async def test_two_tokens_are_none(atlas: Client) -> None:
    both = [("Authorization", "Bearer anon"), ("Authorization", "Bearer service")]

    assert (await atlas.get("/rivers", headers=both)).status_code == 401


async def test_a_key_in_the_address_is_no_filter(atlas: Client) -> None:
    answer = await atlas.get("/rivers?select=id&apikey=e.y.J&id=eq.1")
    called = await atlas.get("/rpc/add?a=1&apikey=e.y.J")

    assert (answer.json(), called.json()) == ([{"id": 1}], 11)
    assert "apikey" not in answer.headers["content-location"]


HALVES: list[tuple[str, str, list[bytes]]] = [
    ("/companies", "text/csv", [b"name\nRio\n"]),
    ("/rpc/enable_realtime_for_table", "application/json", []),
]


@pytest.mark.parametrize(("path", "kind", "parts"), HALVES)
async def test_half_a_body_is_not_taken_for_a_whole_one(
    database: Database, door: Door, path: str, kind: str, parts: list[bytes]
) -> None:
    app = service(database, principal_of=door.principal_of, settings=RestSettings(), after_write=door.after_write)
    coming: Iterator[dict[str, Any]] = iter(
        [*({"type": "http.request", "body": part, "more_body": True} for part in parts), {"type": "http.disconnect"}]
    )
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return next(coming)

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", kind.encode()), (b"apikey", b"service")]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
    await app(scope, receive, send)

    assert sent[0]["status"] == 400
    assert door.writes == 0


@pytest.mark.parametrize("path", ["/countries", "/rpc/add"])
async def test_a_key_of_half_a_character_is_quoted_as_it_came(atlas: Client, path: str) -> None:
    answer = await atlas.post(path, content=rb'{"\ud800": 1}')

    assert answer.status_code in (400, 404)
    assert r"\ud800" in answer.text
