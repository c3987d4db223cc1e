"""How much one client may ask for."""

import httpx
import pytest

from cairn.auth import Keyring
from cairn.realtime import RealtimeSettings
from cairn.realtime.rate_limit import RateLimit
from tests.realtime.client import TOPIC, Client, connected
from tests.realtime.test_broadcast import HELLO


def test_an_allowance_grows_back_with_time_and_not_beyond_its_size() -> None:
    moment = 0.0
    allowance = RateLimit(10, clock=lambda: moment)
    assert [allowance.take() for _ in range(11)] == [True] * 10 + [False]
    moment += 0.2
    assert [allowance.take() for _ in range(3)] == [True, True, False]
    moment += 3600
    assert not allowance.take(11)
    assert allowance.take(10)


@pytest.mark.parametrize("settings", [RealtimeSettings(messages_per_second=5)])
async def test_who_says_too_much_loses_the_channel_and_keeps_the_socket(
    address: str, anyone: Client, keyring: Keyring
) -> None:
    async with connected(address, keyring.anon_key) as other:
        await other.join()
        await anyone.join()
        for _ in range(8):
            await anyone.send(TOPIC, "broadcast", HELLO, join_ref="1")
        told, closed = await anyone.receive(), await anyone.receive()
        assert told["payload"]["message"] == "Too many messages per second"
        assert closed["event"] == "phx_close"
        assert [(await other.receive())["payload"] for _ in range(5)] == [HELLO] * 5
    assert (await anyone.receive())["payload"]["response"] == {"reason": "unmatched topic"}


@pytest.mark.parametrize("settings", [RealtimeSettings(joins_per_second=2)])
async def test_joining_has_its_pace(anyone: Client) -> None:
    replies = [await anyone.join(topic=f"realtime:{name}") for name in "abc"]
    assert [reply["status"] for reply in replies] == ["ok", "ok", "error"]
    assert replies[2]["response"]["reason"] == "ClientJoinRateLimitReached: Too many joins per second"


@pytest.mark.parametrize("settings", [RealtimeSettings(http_messages_per_second=3)])
async def test_broadcasting_by_http_has_its_pace(address: str, keyring: Keyring) -> None:
    message = {"topic": "x", "event": "greeting", "payload": {}}
    async with httpx.AsyncClient(base_url=f"http://{address}", headers={"apikey": keyring.anon_key}) as http:
        answers = [await http.post("/api/broadcast", json={"messages": [message] * 2}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 429]
    assert answers[1].json() == {"error": "Too many messages per second"}


@pytest.mark.parametrize("settings", [RealtimeSettings(max_frame_bytes=1024)])
async def test_a_body_too_large_is_refused(address: str, keyring: Keyring) -> None:
    async with httpx.AsyncClient(base_url=f"http://{address}", headers={"apikey": keyring.anon_key}) as http:
        answer = await http.post("/api/broadcast/x/events/y", json={"words": "x" * 1024})
    assert answer.status_code == 413
