"""M7: half-sent requests are closed after a short time, and the number of connections of one network is limited.

M7 is a finding in docs/security.md.
"""

import asyncio
from base64 import b64encode

import pytest

from cairn.settings import ConnectionSettings
from tests.abuse.connections import MAX_CONNECTIONS_PER_NETWORK, connect, read_until_closed, trickle
from tests.abuse.honest import HONEST_ADDRESS, client_from, sign_up
from tests.serving import RunningServer

pytestmark = pytest.mark.xdist_group("server under abuse")

IDLE_SECONDS = ConnectionSettings().keep_alive.total_seconds()


@pytest.mark.accept("SAFE-14")
async def test_m7_a_network_with_too_many_connections_is_refused_and_others_are_not(server: RunningServer) -> None:
    connections = [await connect(server) for _ in range(MAX_CONNECTIONS_PER_NETWORK + 50)]
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


async def test_m7_a_body_that_goes_on_after_its_response_is_cut_off(server: RunningServer) -> None:
    """The connection is not idle, so it does not stay open for as long as an idle one."""
    head = b"POST /rest/v1/signed_waivers HTTP/1.1\r\nHost: cairn\r\nContent-Length: 50000\r\n\r\n{"
    reader, writer = await connect(server, head)
    response = await reader.read(1000)
    slow_body = asyncio.create_task(trickle(writer, b"x", every_seconds=1))
    async with asyncio.timeout(IDLE_SECONDS / 2):
        await read_until_closed(reader)
    await slow_body
    writer.close()

    assert response.startswith(b"HTTP/1.1 401")


async def test_an_honest_body_on_a_slow_line_is_accepted(server: RunningServer) -> None:
    body = b'{"email": "slow@example.com", "password": "seven rivers and a lake"' + b" " * 9000 + b"}"
    head = f"POST /auth/v1/signup HTTP/1.1\r\nHost: cairn\r\napikey: {server.anon_key}\r\nContent-Length: {len(body)}"
    reader, writer = await connect(server, f"{head}\r\nConnection: close\r\n\r\n".encode())
    for start in range(0, len(body), 1000):
        writer.write(body[start : start + 1000])
        await asyncio.sleep(0.8)

    assert (await read_until_closed(reader)).startswith(b"HTTP/1.1 200")
    writer.close()


async def test_a_resumable_upload_may_be_slower_than_other_bodies(server: RunningServer) -> None:
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
        reader._transport.resume_reading()  # type: ignore[attr-defined] # there is no public way
    async with asyncio.timeout(10):
        received = await asyncio.gather(*(read_until_closed(reader) for reader, _ in connections))

    assert max(map(len, received)) < 3 * size
    for _, writer in connections:
        writer.close()
