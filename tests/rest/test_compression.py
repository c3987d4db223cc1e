"""Responses larger than 1 KB are compressed for clients that accept it."""

import asyncio
import gzip
from collections.abc import AsyncGenerator

import asyncpg
import pytest

from cairn.db import Database
from cairn.rest import RestSettings
from cairn.rest.response import Compressor, Response
from cairn.rest.response.compress import MAX_THREADS, MIN_COMPRESSED_BYTES, THREAD_FROM_BYTES, accepts_gzip
from tests.rest.conftest import Callbacks, Client, client_for, rest_app

LARGE, SMALL = "/lakes?order=id", "/lakes?order=id&limit=5"
GZIP, IDENTITY = {"Accept-Encoding": "gzip"}, {"Accept-Encoding": "identity"}


async def test_a_large_response_is_compressed_and_a_small_one_is_not(atlas: Client) -> None:
    large = await atlas.get(LARGE, headers=GZIP)
    plain = await atlas.get(LARGE, headers=IDENTITY)
    small = await atlas.get(SMALL, headers=GZIP)

    assert large.headers["content-encoding"] == "gzip"
    assert int(large.headers["content-length"]) == large.num_bytes_downloaded < len(plain.content) / 2
    assert large.json() == plain.json()
    assert [lake["id"] for lake in large.json()] == list(range(40))
    assert len(plain.content) > MIN_COMPRESSED_BYTES > len(small.content)
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in small.headers
    assert {response.headers["vary"] for response in (large, plain, small)} == {
        "Accept, Prefer, Range, Accept-Encoding"
    }


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        ("gzip", True),
        ("gzip, deflate, br, zstd", True),
        ("br;q=1.0, GZIP;q=0.2", True),
        ("*", True),
        ("br, *;q=0.1", True),
        ("", False),
        ("br", False),
        ("identity", False),
        ("gzip;q=0", False),
        ("*, gzip; q=0.0", False),
        ("gzip;q=often", False),
    ],
)
def test_the_client_says_which_codings_it_accepts(header: str, accepted: bool) -> None:
    assert accepts_gzip([(b"accept", b"*/*"), (b"accept-encoding", header.encode())]) is accepted


def test_a_client_that_says_nothing_gets_the_body_as_it_is() -> None:
    assert not accepts_gzip([(b"accept", b"*/*")])


async def test_a_head_response_has_no_body_to_compress(atlas: Client) -> None:
    found = await atlas.head(LARGE, headers={**GZIP, "Prefer": "count=exact"})
    refused = await atlas.head(f"/{'x' * 2000}", headers=GZIP)

    assert (found.status_code, found.content, found.headers["content-range"]) == (200, b"", "0-39/40")
    assert (refused.status_code, refused.content) == (404, b"")
    for response in (found, refused):
        assert not {"content-encoding", "content-length"} & response.headers.keys()


async def test_a_range_of_rows_is_compressed(atlas: Client) -> None:
    response = await atlas.get(LARGE, headers={**GZIP, "Range": "5-38", "Prefer": "count=exact"})

    assert (response.status_code, response.headers["content-range"]) == (206, "5-38/40")
    assert response.headers["content-encoding"] == "gzip"
    assert [lake["id"] for lake in response.json()] == list(range(5, 39))


@pytest.mark.parametrize("query", ["/gauges?order=id&limit=200", "/gauges?order=id"], ids=["whole", "in parts"])
async def test_csv_is_compressed_whole_and_in_parts(
    database: Database, callbacks: Callbacks, admin: "asyncpg.Connection[asyncpg.Record]", query: str
) -> None:
    await admin.execute(
        """
        create table public.gauges as select id, 'Gauge ' || id as name from generate_series(1, 15000) id;
        grant select on public.gauges to anon
        """
    )
    async with client_for(rest_app(database, callbacks, RestSettings(max_rows=None))) as client:
        plain = await client.get(query, headers={**IDENTITY, "Accept": "text/csv"})
        compressed = await client.get(query, headers={**GZIP, "Accept": "text/csv"})

    assert "content-encoding" not in plain.headers
    assert compressed.headers["content-encoding"] == "gzip"
    assert compressed.headers["content-type"] == plain.headers["content-type"] == "text/csv; charset=utf-8"
    assert compressed.headers["vary"] == plain.headers["vary"] == "Accept, Prefer, Range, Accept-Encoding"
    assert ("content-length" in compressed.headers) is ("limit" in query)
    assert compressed.text == plain.text
    assert plain.text.count("\n") == (200 if "limit" in query else 15_000)
    assert compressed.num_bytes_downloaded < plain.num_bytes_downloaded / 3


async def test_the_parts_of_a_stream_are_compressed_together_and_closed_with_it() -> None:
    closed = False

    async def rows() -> AsyncGenerator[bytes, None]:
        nonlocal closed
        try:
            for number in range(10_000):
                yield f"{number},{number * number}\n".encode()
        finally:
            closed = True

    accepted = [(b"accept-encoding", b"gzip")]
    whole, left = [await Compressor().compress(Response(200, body=rows()), accepted) for _ in range(2)]
    assert not isinstance(whole.body, bytes)
    assert not isinstance(left.body, bytes)

    parts = [part async for part in whole.body]
    assert gzip.decompress(b"".join(parts)).splitlines()[-1] == b"9999,99980001"
    assert len(parts) > 2

    closed = False
    await anext(left.body)
    await left.body.aclose()
    assert closed


async def test_a_long_error_is_compressed(atlas: Client) -> None:
    response = await atlas.get(f"/{'x' * 2000}", headers=GZIP)

    assert (response.status_code, response.json()["code"]) == (404, "PGRST205")
    assert (response.headers["content-encoding"], response.headers["vary"]) == ("gzip", "Accept-Encoding")


@pytest.mark.parametrize("name", ["Content-Encoding", "ETag", "Vary"])
async def test_a_body_that_a_function_has_described_is_not_compressed(atlas: Client, name: str) -> None:
    value = "identity" if name == "Content-Encoding" else '"7"'
    body = {"length": 2000, "header": name, "value": value}

    response = await atlas.post("/rpc/described_text", json=body, headers=GZIP)

    assert (response.headers[name], len(response.json())) == (value, 2000)
    assert response.headers.get("content-encoding", "identity") == "identity"


async def test_few_large_bodies_are_compressed_at_once() -> None:
    """The others are sent as they are, so that clients do not wait for each other."""
    compressor, body = Compressor(), b"[1,2,3]" * THREAD_FROM_BYTES
    request_headers = [(b"accept-encoding", b"gzip")]

    responses = await asyncio.gather(
        *(compressor.compress(Response(200, body=body), request_headers) for _ in range(MAX_THREADS + 3))
    )
    later = await compressor.compress(Response(200, body=body), request_headers)

    assert [response.body == body for response in responses] == [False] * MAX_THREADS + [True] * 3
    assert [response.headers for response in responses[MAX_THREADS:]] == [{}] * 3
    assert isinstance(later.body, bytes)
    assert gzip.decompress(later.body) == body
