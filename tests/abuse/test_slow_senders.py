"""M7: connections with half-sent requests are closed soon, and the number of connections of one network is limited.

M7 and 17B1 are findings in docs/security.md.
"""

import asyncio
from base64 import b64encode
from collections import Counter

import pytest

from cairn.settings import ConnectionSettings
from tests.abuse.connections import MAX_CONNECTIONS_PER_NETWORK, closed_at_end, connect, read_until_closed, trickle
from tests.abuse.honest import HONEST_ADDRESS, client_from, sign_up
from tests.serving import RunningServer

pytestmark = pytest.mark.xdist_group("server under abuse")

IDLE_SECONDS = ConnectionSettings().keep_alive.total_seconds()
# The server trusts this address by default.
PROXY_ADDRESS = "127.0.0.1"


@pytest.mark.accept("SAFE-14")
async def test_m7_a_network_with_too_many_connections_is_refused_and_others_are_not(server: RunningServer) -> None:
    connections = [await connect(server) for _ in range(MAX_CONNECTIONS_PER_NETWORK + 50)]
    last_response = await asyncio.wait_for(connections[-1][0].read(1000), 5)
    async with client_from(server, HONEST_ADDRESS) as honest:
        assert (await honest.get("/auth/v1/health")).status_code == 200

    assert last_response.startswith(b"HTTP/1.1 429 too_many_connections\r\n")
    assert b"Retry-After: " in last_response
    assert b'"code": "too_many_connections"' in last_response
    for _, writer in connections:
        writer.close()
    await asyncio.sleep(1)
    reader, writer = await connect(server, b"GET /auth/v1/health HTTP/1.1\r\nHost: cairn\r\n\r\n")
    assert (await reader.read(1000)).startswith(b"HTTP/1.1 200"), "closed connections no longer count"
    writer.close()


async def test_17b1_slow_bodies_below_a_megabyte_do_not_fill_the_memory(server: RunningServer) -> None:
    """17B1: bodies below a megabyte are counted for their network, and bodies of others are still read."""
    head_and_part_of_body = _head_of_verify_request(server, content_length=990_000) + b"x" * 900_000
    connections = [await connect(server, head_and_part_of_body) for _ in range(30)]
    with closed_at_end(connections):
        async with client_from(server, HONEST_ADDRESS) as honest:
            honest_response = await honest.post("/functions/v1/verify-document", content=b"x" * 900_000)
        responses = await asyncio.gather(*(reader.read(1000) for reader, _ in connections))

    statuses = Counter(response[:12] for response in responses)
    assert set(statuses) == {b"HTTP/1.1 503", b"HTTP/1.1 408"}, statuses
    assert statuses[b"HTTP/1.1 408"] <= 18, "the server holds at most 16 MiB for one network"
    assert honest_response.status_code < 500


async def test_17b1_a_network_behind_a_trusted_proxy_has_a_limited_number_of_open_requests(
    server: RunningServer,
) -> None:
    """17B1: connections of a trusted proxy are not limited, but the requests of each network behind it are."""
    half_sent = _head_of_verify_request(server, content_length=60_000, forwarded_for="203.0.113.9")
    connections, trickles = [], []
    for _ in range(MAX_CONNECTIONS_PER_NETWORK + 1):
        connections.append(await connect(server, half_sent, address=PROXY_ADDRESS))
        # The body arrives just fast enough.
        trickles.append(asyncio.create_task(trickle(connections[-1][1], b"x" * 2500, every_seconds=2)))
    with closed_at_end(connections):
        refusal = await asyncio.wait_for(connections[-1][0].read(1000), 10)
        other_network = await _status_behind_the_proxy(server, "203.0.113.10")
        same_network = await _status_behind_the_proxy(server, "203.0.113.9")
    await asyncio.gather(*trickles)
    await asyncio.sleep(1)

    assert refusal.startswith(b"HTTP/1.1 429 ")
    assert b'"code":"too_many_connections"' in refusal
    assert (other_network, same_network) == (200, 429)
    assert await _status_behind_the_proxy(server, "203.0.113.9") == 200, "ended requests no longer count"


def _head_of_verify_request(server: RunningServer, *, content_length: int, forwarded_for: str = "") -> bytes:
    keys = [f"apikey: {server.anon_key}", f"Authorization: Bearer {server.anon_key}"]
    lines = ["POST /functions/v1/verify-document HTTP/1.1", "Host: cairn", *keys]
    if forwarded_for:
        lines.append(f"X-Forwarded-For: {forwarded_for}")
    return "\r\n".join([*lines, f"Content-Length: {content_length}", "\r\n"]).encode()


async def _status_behind_the_proxy(server: RunningServer, forwarded_for: str) -> int:
    async with client_from(server, PROXY_ADDRESS) as client:
        return (await client.get("/auth/v1/health", headers={"X-Forwarded-For": forwarded_for})).status_code


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
