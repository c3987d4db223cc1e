"""M7: half-sent requests are closed after a short time, and one network cannot open any number of connections."""

import asyncio
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.abuse.connections import allow_many_files, connect, read_until_closed, trickle
from tests.abuse.honest import HONEST_ADDRESS, client_from, honest_visits, sign_up
from tests.abuse.memory import memory_stays_within
from tests.serving import RunningServer, serving

MAX_CONNECTIONS = 1000
# Shorter than the defaults, so that the test is short.
SETTINGS = {
    "CAIRN_CONNECTIONS__PER_NETWORK": str(MAX_CONNECTIONS),
    "CAIRN_CONNECTIONS__HEAD_TIMEOUT": "PT4S",
    "CAIRN_CONNECTIONS__BODY_TIMEOUT": "PT4S",
    "CAIRN_CONNECTIONS__BODY_MIN_BYTES": "2000",
    "CAIRN_CONNECTIONS__READ_TIMEOUT": "PT4S",
}
SLOWEST_CLOSE_SECONDS = 15.0
HALF_HEAD = b"POST /rest/v1/signed_waivers HTTP/1.1\r\nHost: cairn\r\nX-Slow: "
HALF_BODY = b"POST /auth/v1/signup HTTP/1.1\r\nHost: cairn\r\nContent-Length: 50000\r\n\r\n{"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    allow_many_files()
    with serving(Path(tmp_path_factory.mktemp("slow")), worker=False, settings=SETTINGS) as running:
        yield running


async def test_m7_a_thousand_half_sent_requests_are_closed_while_honest_ones_are_answered(
    server: RunningServer,
) -> None:
    beginnings = [HALF_HEAD, HALF_BODY.replace(b"/auth", b"/rest"), HALF_BODY, b"", b"\r\n"]
    async with honest_visits(server, at_least=5):
        with memory_stays_within(server, times=2):
            started_at = time.monotonic()
            connections = [
                await connect(server, beginnings[number % len(beginnings)]) for number in range(MAX_CONNECTIONS)
            ]
            trickles = [asyncio.create_task(trickle(writer, b"x", every_seconds=1)) for _, writer in connections[::5]]
            trickles += [asyncio.create_task(trickle(writer, b"x", every_seconds=1)) for _, writer in connections[1::5]]
            async with asyncio.timeout(SLOWEST_CLOSE_SECONDS + 20):
                responses = await asyncio.gather(*(read_until_closed(reader) for reader, _ in connections))
            seconds = time.monotonic() - started_at
            await asyncio.gather(*trickles)

    statuses = Counter(response.split(b"\r\n")[0] for response in responses)
    assert set(statuses) <= {b"HTTP/1.1 408 request_too_slow", b"HTTP/1.1 401 Unauthorized", b""}, statuses
    assert seconds < SLOWEST_CLOSE_SECONDS
    for _, writer in connections:
        writer.close()


async def test_m7_a_network_with_too_many_connections_is_refused_and_others_are_not(server: RunningServer) -> None:
    connections = [await connect(server) for _ in range(MAX_CONNECTIONS + 50)]
    first_response = await asyncio.wait_for(connections[-1][0].read(1000), 5)
    async with client_from(server, HONEST_ADDRESS) as honest:
        assert (await honest.get("/auth/v1/health")).status_code == 200

    assert first_response.startswith(b"HTTP/1.1 429 too_many_connections\r\n")
    assert b"Retry-After: " in first_response
    assert b'"code": "too_many_connections"' in first_response
    for _, writer in connections:
        writer.close()
    await asyncio.sleep(1)
    reader, writer = await connect(server, b"GET /auth/v1/health HTTP/1.1\r\nHost: cairn\r\n\r\n")
    assert (await reader.read(1000)).startswith(b"HTTP/1.1 200"), "closed connections no longer count"
    writer.close()


async def test_an_honest_body_on_a_slow_line_is_accepted(server: RunningServer) -> None:
    body = b'{"email": "slow@example.com", "password": "seven rivers and a lake"' + b" " * 9000 + b"}"
    head = f"POST /auth/v1/signup HTTP/1.1\r\nHost: cairn\r\napikey: {server.anon_key}\r\nContent-Length: {len(body)}"
    reader, writer = await connect(server, f"{head}\r\nConnection: close\r\n\r\n".encode())
    for start in range(0, len(body), 1000):
        writer.write(body[start : start + 1000])
        await asyncio.sleep(0.8)

    assert (await read_until_closed(reader)).startswith(b"HTTP/1.1 200")
    writer.close()


async def test_a_resumable_upload_may_be_slower(server: RunningServer) -> None:
    rosa = await sign_up(server, "rosa@example.com")
    names = {"bucketName": "profile-pictures", "objectName": f"{rosa.user_id}/slow.png", "contentType": "image/png"}
    metadata = ",".join(f"{name} {b64encode(value.encode()).decode()}" for name, value in names.items())
    headers = {"Tus-Resumable": "1.0.0", "Upload-Length": "10", "Upload-Metadata": metadata}
    async with client_from(server, HONEST_ADDRESS, token=rosa.token) as client:
        created = await client.post("/storage/v1/upload/resumable", headers=headers)
    assert created.status_code == 201, created.text
    path = created.headers["location"].removeprefix(server.url)
    lines = [
        f"PATCH {path} HTTP/1.1", "Host: cairn", f"apikey: {server.anon_key}", f"Authorization: Bearer {rosa.token}",
        "Tus-Resumable: 1.0.0", "Upload-Offset: 0", "Content-Type: application/offset+octet-stream",
        "Content-Length: 10", "Connection: close",
    ]  # fmt: skip
    reader, writer = await connect(server, ("\r\n".join(lines) + "\r\n\r\n").encode())
    for _ in range(10):
        writer.write(b"x")
        await asyncio.sleep(1)

    assert (await read_until_closed(reader)).startswith(b"HTTP/1.1 204")
    writer.close()


async def test_m7_a_client_that_reads_nothing_is_disconnected(server: RunningServer) -> None:
    bea = await sign_up(server, "bea@example.com")
    picture = f"profile-pictures/{bea.user_id}/large.png"
    size = 4_900_000
    async with client_from(server, HONEST_ADDRESS, token=bea.token) as client:
        headers = {"Content-Type": "image/png"}
        (await client.post(f"/storage/v1/object/{picture}", content=bytes(size), headers=headers)).raise_for_status()
    request = f"GET /storage/v1/object/public/{picture} HTTP/1.1\r\nHost: cairn\r\n\r\n".encode()
    connections = [await connect(server, request * 3, receive_buffer=4096) for _ in range(10)]
    for reader, _ in connections:
        reader._transport.pause_reading()  # type: ignore[attr-defined] # there is no public way
    await asyncio.sleep(8)
    for reader, _ in connections:
        reader._transport.resume_reading()  # type: ignore[attr-defined] # as above
    async with asyncio.timeout(10):
        received = await asyncio.gather(*(read_until_closed(reader) for reader, _ in connections))

    assert max(map(len, received)) < 3 * size
    for _, writer in connections:
        writer.close()
