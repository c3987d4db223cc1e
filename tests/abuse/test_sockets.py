"""Sockets per network and per account are limited."""

import asyncio

import pytest

from bench.listener import websocket_frame
from tests.abuse.honest import sign_up
from tests.abuse.sockets import SOCKETS_PER_ACCOUNT, SOCKETS_PER_NETWORK, join, open_socket, receive_message
from tests.serving import RunningServer

pytestmark = pytest.mark.xdist_group("server under abuse")


async def test_a_refused_handshake_says_why_and_when_to_try_again(server: RunningServer) -> None:
    sockets = [await open_socket(server, "127.0.0.4") for _ in range(SOCKETS_PER_NETWORK + 1)]
    (reader, _), head = sockets[-1]

    assert head.startswith(b"HTTP/1.1 429")
    assert b"retry-after: 10" in head.lower()
    assert b'{"error":"Too many connected users on this network"}' in await reader.read(1000)
    for (_, writer), _ in sockets:
        writer.close()
    await asyncio.sleep(1)
    (_, writer), head = await open_socket(server, "127.0.0.4")
    assert head.startswith(b"HTTP/1.1 101"), "closed sockets no longer count"
    writer.close()


async def test_an_account_joins_on_a_limited_number_of_sockets_from_all_networks(server: RunningServer) -> None:
    mallory, rosa = await sign_up(server, "mallory@sockets.example"), await sign_up(server, "rosa@sockets.example")
    sockets = []
    for number in range(SOCKETS_PER_ACCOUNT):
        socket, _ = await open_socket(server, f"127.0.1.{number + 1}")
        assert (await join(socket, mallory))["status"] == "ok"
        sockets.append(socket)
    socket, _ = await open_socket(server, "127.0.2.1")
    sockets.append(socket)

    refused = {"reason": "ConnectionRateLimitReached: Too many connections of this account"}
    assert (await join(socket, mallory)) == {"status": "error", "response": refused}
    assert (await join(socket, rosa, channel_number=2))["status"] == "ok", "other accounts are not affected"
    assert (await join(sockets[0], mallory, channel_number=2))["status"] == "ok", (
        "a counted socket may join more channels"
    )

    # Nor can the account join a channel without its token and send the token later.
    socket, _ = await open_socket(server, "127.0.2.2")
    sockets.append(socket)
    assert (await join(socket, None))["status"] == "ok"
    socket[1].write(websocket_frame(["1", "2", "realtime:river-1", "access_token", {"access_token": mallory.token}]))
    _, _, _, _, payload = await receive_message(socket[0])
    assert payload["message"] == "Too many connections of this account"
    _, _, _, event, _ = await receive_message(socket[0])
    assert event == "phx_close"

    for _, writer in sockets:
        writer.close()
    await asyncio.sleep(1)
    socket, _ = await open_socket(server, "127.0.2.3")
    assert (await join(socket, mallory))["status"] == "ok", "closed sockets no longer count"
    socket[1].close()
