"""Rate limits and size limits are enforced.

10L1 is a finding in docs/security.md.
"""

import asyncio

import httpx
import pytest

from cairn.auth import Keyring
from cairn.realtime import RealtimeSettings
from cairn.realtime.rate_limit import RateLimit
from tests.realtime.client import TOPIC, Client
from tests.realtime.conftest import OpenClient
from tests.realtime.test_broadcast import HELLO


def test_a_rate_limit_refills_over_time_up_to_its_maximum() -> None:
    seconds = 0.0
    rate_limit = RateLimit(10, clock=lambda: seconds)
    assert [rate_limit.try_take() for _ in range(11)] == [True] * 10 + [False]
    seconds += 0.2
    assert [rate_limit.try_take() for _ in range(3)] == [True, True, False]
    seconds += 3600
    assert not rate_limit.try_take(11)
    assert rate_limit.try_take(10)


@pytest.mark.parametrize("settings", [RealtimeSettings(messages_per_second=5)])
async def test_exceeding_the_message_rate_ends_the_channel_but_not_the_socket(
    client: Client, open_client: OpenClient
) -> None:
    async with open_client() as receiver:
        await receiver.join()
        await client.join()
        for _ in range(8):
            await client.send(TOPIC, "broadcast", HELLO, join_ref="1")
        system_frame, close_frame = await client.receive(), await client.receive()
        assert system_frame["payload"]["message"] == "Too many messages per second"
        assert close_frame["event"] == "phx_close"
        assert [(await receiver.receive())["payload"] for _ in range(5)] == [HELLO] * 5
    assert (await client.receive())["payload"]["response"] == {"reason": "unmatched topic"}


@pytest.mark.parametrize("settings", [RealtimeSettings(joins_per_second=2)])
async def test_joins_are_rate_limited(client: Client) -> None:
    replies = [await client.join(topic=f"realtime:{name}") for name in "abc"]
    assert [reply["status"] for reply in replies] == ["ok", "ok", "error"]
    assert replies[2]["response"]["reason"] == "ClientJoinRateLimitReached: Too many joins per second"


@pytest.mark.parametrize("settings", [RealtimeSettings(http_messages_per_second=100)])
async def test_10l1_one_network_does_not_use_up_the_http_broadcasts_of_all(address: str, keyring: Keyring) -> None:
    message = {"topic": "river", "event": "x", "payload": {}}
    async with httpx.AsyncClient(base_url=f"http://{address}", headers={"apikey": keyring.anon_key}) as http:

        async def broadcast(count: int, network: str = "198.51.100.7", **headers: str) -> httpx.Response:
            headers["X-Forwarded-For"] = network
            return await http.post("/api/broadcast", json={"messages": [message] * count}, headers=headers)

        assert (await broadcast(100)).status_code == 202
        # The token bucket of all networks is full again after a second, and that of one network after four seconds.
        await asyncio.sleep(1)
        refused = await broadcast(95)
        assert refused.status_code == 429
        assert 1 <= int(refused.headers["retry-after"]) <= 3
        assert (await broadcast(10, "203.0.113.9")).status_code == 202
        assert (await broadcast(10, Authorization=f"Bearer {keyring.service_key}")).status_code == 202


@pytest.mark.parametrize("settings", [RealtimeSettings(http_messages_per_second=3)])
async def test_http_broadcasts_are_rate_limited(address: str, keyring: Keyring) -> None:
    message = {"topic": "x", "event": "greeting", "payload": {}}
    async with httpx.AsyncClient(base_url=f"http://{address}", headers={"apikey": keyring.anon_key}) as http:
        responses = [await http.post("/api/broadcast", json={"messages": [message] * 2}) for _ in range(2)]
    assert [response.status_code for response in responses] == [202, 429]
    assert responses[1].json() == {"error": "Too many messages per second"}


@pytest.mark.parametrize("settings", [RealtimeSettings(max_frame_bytes=1024)])
async def test_a_body_that_is_too_large_is_rejected(address: str, keyring: Keyring) -> None:
    async with httpx.AsyncClient(base_url=f"http://{address}", headers={"apikey": keyring.anon_key}) as http:
        response = await http.post("/api/broadcast/x/events/y", json={"text": "x" * 1024})
    assert response.status_code == 413
