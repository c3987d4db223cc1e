"""D3, D6, D8, 17A2: strangers cannot keep the server busy with messages, or fill its memory with unsent ones.

D3, D6, D8 and 17A2 are findings in docs/security.md.
"""

import json
import socket
import time
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from cairn.auth import Keyring
from cairn.realtime import RealtimeSettings
from cairn.realtime.frame import Json, Message
from cairn.realtime.send_queue import SendQueue
from cairn.realtime.unsent_bytes import UnsentBytes
from tests.realtime.client import TOPIC, Client
from tests.realtime.conftest import OpenClient
from tests.realtime.test_broadcast import HELLO
from tests.realtime.test_presence import join_with_presence, next_diff, track

TOO_MANY = "Too many messages per second from this network. Send fewer or shorter messages, or wait ten seconds."
ATTACKER, RIVAL = {"X-Forwarded-For": "198.51.100.7"}, {"X-Forwarded-For": "203.0.113.9"}


async def broadcast_until_refused(sender: Client, message: dict[str, Any], *, at_most: int) -> int:
    """Returns how many broadcasts were accepted before the channel was ended."""
    for number in range(at_most):
        await sender.send(TOPIC, "broadcast", message, join_ref="1")
        frame = await sender.receive()
        if frame["event"] == "system":
            assert frame["payload"]["message"] == TOO_MANY
            assert (await sender.receive())["event"] == "phx_close"
            return number
    return at_most


@pytest.mark.parametrize("settings", [RealtimeSettings(sent_units_per_network=10)])
async def test_d3_the_messages_of_a_network_are_counted_for_each_member_who_receives_them(
    open_client: OpenClient,
) -> None:
    async with AsyncExitStack() as clients:
        members = [await clients.enter_async_context(open_client(additional_headers=RIVAL)) for _ in range(9)]
        for member in members:
            await member.join()
        for number in range(2):
            attacker = await clients.enter_async_context(open_client(additional_headers=ATTACKER))
            await attacker.join(broadcast={"ack": True})
            # One hundred units are available in one burst, and each message costs ten or eleven.
            accepted = await broadcast_until_refused(attacker, HELLO, at_most=30)
            assert 8 <= accepted <= 12 if number == 0 else accepted <= 2, "a second socket has no units of its own"
        rival = members[0]
        await rival.send(TOPIC, "broadcast", HELLO, join_ref="1")
        # At least eight messages are from the first attacker, `accepted` from the second, and one is from the rival.
        frames = [await members[1].receive() for _ in range(accepted + 9)]
        assert all(frame["event"] == "broadcast" for frame in frames), "other networks still send"


@pytest.mark.parametrize("settings", [RealtimeSettings(sent_units_in_public_channels=10)])
async def test_d3_all_networks_together_send_a_limited_amount_to_public_channels(open_client: OpenClient) -> None:
    accepted = 0
    async with open_client() as member:
        await member.join()
        for number in range(3):
            async with open_client(additional_headers={"X-Forwarded-For": f"198.51.100.{number}"}) as attacker:
                await attacker.join(broadcast={"ack": True})
                accepted += await broadcast_until_refused(attacker, HELLO, at_most=60)
    # One hundred units are available in one burst, and each message costs two.
    assert 45 <= accepted <= 70


@pytest.mark.parametrize("settings", [RealtimeSettings(sent_units_per_network=100)])
async def test_d3_one_long_message_uses_up_the_units_of_several_seconds(open_client: OpenClient) -> None:
    long_message = {**HELLO, "payload": {"text": "x" * 1_000_000}}
    async with AsyncExitStack() as clients:
        members = [await clients.enter_async_context(open_client()) for _ in range(4)]
        sender = await clients.enter_async_context(open_client(additional_headers=ATTACKER))
        for client in (*members, sender):
            await client.join(broadcast={"ack": True})
        assert await broadcast_until_refused(sender, long_message, at_most=3) == 1
        assert (await members[0].receive())["payload"] == long_message


@pytest.mark.parametrize("settings", [RealtimeSettings(sent_units_per_network=10)])
async def test_d3_presence_is_counted_for_each_member_and_refused_with_a_reason(open_client: OpenClient) -> None:
    replies: list[dict[str, Any]] = []
    async with open_client() as member, open_client(additional_headers=ATTACKER) as attacker:
        await join_with_presence(member, "rosa")
        await join_with_presence(attacker, "mallory")
        while not replies or replies[-1]["status"] == "ok":
            assert len(replies) < 40
            message = {"type": "presence", "event": "track", "payload": {"text": "x" * 5000}}
            await attacker.send(TOPIC, "presence", message, join_ref="1")
            while (frame := await attacker.receive())["event"] != "phx_reply":
                assert frame["event"] == "presence_diff"
            replies.append(frame["payload"])
    assert len(replies) > 5
    assert replies[-1]["response"] == {"reason": TOO_MANY}


@pytest.mark.parametrize("settings", [RealtimeSettings(received_units_per_network=50)])
async def test_d3_a_network_that_sends_too_much_is_read_more_slowly_and_others_are_not(
    open_client: OpenClient,
) -> None:
    async with open_client(additional_headers=ATTACKER) as attacker, open_client(additional_headers=RIVAL) as rival:
        started_at = time.monotonic()
        for _ in range(600):
            await attacker.send("phoenix", "heartbeat", {})
        rival_started_at = time.monotonic()
        assert (await rival.join())["status"] == "ok"
        rival_seconds = time.monotonic() - rival_started_at
        for _ in range(600):
            await attacker.receive(timeout_seconds=20)
        assert time.monotonic() - started_at > 1.5
        assert rival_seconds < 1.5


@pytest.mark.parametrize("settings", [RealtimeSettings(received_units_per_network=20)])
async def test_d3_a_network_that_sends_far_too_much_is_disconnected(open_client: OpenClient) -> None:
    many_values = {**HELLO, "payload": [{}] * 100_000}
    async with open_client(additional_headers=ATTACKER) as attacker:
        await attacker.join()
        for _ in range(2):
            await attacker.send(TOPIC, "broadcast", many_values, join_ref="1")
        with pytest.raises(ConnectionClosed) as error:
            await attacker.receive()
    assert error.value.rcvd is not None
    assert error.value.rcvd.code == 1013


@pytest.mark.parametrize("settings", [RealtimeSettings(received_units_per_network=100)])
async def test_low_http_broadcasts_with_many_values_are_limited_for_each_network(
    address: str, keyring: Keyring
) -> None:
    body = json.dumps({"messages": [{"topic": "x", "event": "y", "payload": [{}] * 100_000}]})
    async with httpx.AsyncClient(base_url=f"http://{address}", headers={"apikey": keyring.anon_key}) as http:
        first, second = [await http.post("/api/broadcast", content=body, headers=ATTACKER) for _ in range(2)]
        of_rival = await http.post("/api/broadcast", content=body, headers=RIVAL)
        service = {"apikey": keyring.service_key, **ATTACKER}
        of_service = await http.post("/api/broadcast", content=body, headers=service)
    assert [response.status_code for response in (first, second, of_rival, of_service)] == [202, 429, 202, 202]
    assert int(second.headers["retry-after"]) > 0


@pytest.mark.parametrize("settings", [RealtimeSettings(max_total_unsent_bytes=1_000_000)])
async def test_d6_clients_that_read_nothing_are_disconnected_before_they_fill_the_memory(
    address: str, open_client: OpenClient
) -> None:
    host, port = address.split(":")
    async with AsyncExitStack() as clients:
        slow_clients = []
        for _ in range(3):
            small_socket = socket.socket()
            small_socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            small_socket.connect((host, int(port)))
            options: dict[str, Any] = {"compression": None, "sock": small_socket, "max_queue": 1, "close_timeout": 0.1}
            slow_clients.append(await clients.enter_async_context(open_client(additional_headers=ATTACKER, **options)))
        sender, fast = [await clients.enter_async_context(open_client(compression=None)) for _ in range(2)]
        for client in (sender, fast, *slow_clients):
            assert (await client.join())["status"] == "ok"
        for number in range(60):
            message = {"type": "broadcast", "event": "shout", "payload": {"number": number, "text": "x" * 100_000}}
            await sender.send(TOPIC, "broadcast", message, join_ref="1")
            assert (await fast.receive(timeout_seconds=5))["payload"]["payload"]["number"] == number
        for slow in slow_clients:
            assert await slow.count_frames_until_closed() < 60


def queue_of(network: str, unsent: UnsentBytes, max_bytes: int = 100_000) -> SendQueue:
    return SendQueue("2.0.0", network, unsent, max_bytes=max_bytes)


async def test_d6_a_message_that_waits_for_many_clients_is_stored_once() -> None:
    unsent = UnsentBytes(10_000)
    queues = [queue_of("203.0.113.9", unsent) for _ in range(50)]
    message = Message(TOPIC, "broadcast", Json('"' + "x" * 998 + '"'))
    for queue in queues:
        queue.put(message)
    assert unsent.total_bytes == 1000
    for queue in queues:
        queue.disconnect()
    assert unsent.total_bytes == 0


async def test_d6_the_clients_of_the_network_with_the_most_unsent_bytes_are_disconnected_first() -> None:
    unsent = UnsentBytes(10_000)
    honest = queue_of("203.0.113.9", unsent)
    honest.put_frame("x" * 2000)
    attackers = [queue_of(f"2001:db8:5:{number}::/64", unsent) for number in range(10)]
    for number, queue in enumerate(attackers):
        queue.put_frame(str(number) * 1000)
    assert not honest.too_slow.is_set()
    assert any(queue.too_slow.is_set() for queue in attackers)
    assert unsent.total_bytes <= 10_000


@pytest.mark.parametrize("length", [256, 500_000], ids=["a little too long", "far too long"])
async def test_d8_a_topic_that_is_too_long_is_refused_with_a_reason(client: Client, length: int) -> None:
    reply = await client.join(topic="realtime:" + "x" * length)
    reason = "TopicTooLong: A topic has at most 255 characters. Choose a shorter name for this channel."
    assert reply == {"status": "error", "response": {"reason": reason}}
    assert (await client.join(topic="realtime:" + "x" * 255))["status"] == "ok"


async def test_d8_a_presence_key_that_is_too_long_is_refused_with_a_reason(client: Client) -> None:
    reply = await client.join(presence={"key": "x" * 256})
    assert "presence.key" in reply["response"]["reason"]
    assert (await client.join(presence={"key": "x" * 255}))["status"] == "ok"


@pytest.mark.parametrize("position", [0, 1], ids=["join ref", "ref"])
async def test_d8_a_ref_that_is_too_long_ends_the_socket(client: Client, position: int) -> None:
    frame: list[Any] = ["1", "1", TOPIC, "phx_join", {}]
    frame[position] = "x" * 256
    await client.connection.send(json.dumps(frame))
    with pytest.raises(ConnectionClosed) as error:
        await client.receive()
    assert error.value.rcvd is not None
    assert error.value.rcvd.code == 1007


async def test_low_a_join_with_very_long_filters_is_refused_with_a_reason(client: Client) -> None:
    binding = {"event": "*", "schema": "public", "table": "waiver_templates", "filter": "name=eq." + "x" * 1000}
    reply = await client.join(*[binding] * 70)
    assert "at most 65536 characters" in reply["response"]["reason"]
    assert (await client.join(*[binding] * 20))["status"] == "ok"


async def test_messages_to_a_large_channel_arrive_in_order_although_their_delivery_is_interrupted(
    open_client: OpenClient,
) -> None:
    async with AsyncExitStack() as clients:
        members = [await clients.enter_async_context(open_client()) for _ in range(250)]
        for member in members:
            await member.join()
        for number in range(3):
            await members[0].send(TOPIC, "broadcast", {**HELLO, "payload": {"number": number}}, join_ref="1")
        for member in members[1:]:
            assert [(await member.receive())["payload"]["payload"]["number"] for _ in range(3)] == [0, 1, 2]


TOO_LARGE = (
    "The channels of this network need too much memory. "
    "Leave some of them, or use fewer filters and shorter presence entries."
)


@pytest.mark.parametrize("settings", [RealtimeSettings(kept_bytes_per_network=10_000)])
async def test_d8_the_memory_of_the_channels_of_a_network_is_limited_until_they_are_left(
    open_client: OpenClient,
) -> None:
    async with AsyncExitStack() as clients:
        attackers = [await clients.enter_async_context(open_client(additional_headers=ATTACKER)) for _ in range(2)]
        config = {"note": "x" * 6000}
        assert (await attackers[0].join(**config))["status"] == "ok"
        refused = await attackers[1].join(**config)
        assert refused["response"] == {"reason": f"ChannelRateLimitReached: {TOO_LARGE}"}
        rival = await clients.enter_async_context(open_client(additional_headers=RIVAL))
        assert (await rival.join(**config))["status"] == "ok", "another network is not affected"
        await attackers[0].connection.close()
        assert (await attackers[1].join(**config))["status"] == "ok", "a closed channel keeps nothing"


@pytest.mark.parametrize("settings", [RealtimeSettings(kept_bytes_per_network=10_000)])
async def test_d8_the_presence_entries_of_a_network_are_limited(open_client: OpenClient) -> None:
    async with open_client(additional_headers=ATTACKER) as first, open_client(additional_headers=ATTACKER) as second:
        for client, topic in ((first, "realtime:one"), (second, "realtime:two")):
            await join_with_presence(client, topic=topic)
        large = {"text": "x" * 6000}
        for _ in range(2):
            assert (await track(first, large, "realtime:one"))["payload"]["status"] == "ok", "an entry is replaced"
            await next_diff(first)
        refused = await track(second, large, "realtime:two")
        assert refused["payload"]["response"] == {"reason": TOO_LARGE}
        await first.send("realtime:one", "presence", {"type": "presence", "event": "untrack"}, join_ref="1")
        await first.receive()
        assert (await track(second, large, "realtime:two"))["payload"]["status"] == "ok"


@pytest.mark.parametrize("settings", [RealtimeSettings(kept_bytes_per_network=10_000)])
async def test_18a8_lists_inside_lists_count_with_the_memory_that_they_need(open_client: OpenClient) -> None:
    """18A8 is a finding in docs/security.md: a list of two characters needs forty times as much memory."""
    async with open_client(additional_headers=ATTACKER) as attacker:
        await join_with_presence(attacker, topic="realtime:one")
        refused = await track(attacker, {"lists": [[]] * 1000}, "realtime:one")
        assert refused["payload"]["response"] == {"reason": TOO_LARGE}
        binding = {"event": "*", "schema": "public", "table": "companies", "note": [[]] * 1000}
        reply = await attacker.join(binding, topic="realtime:two")
        assert reply["response"] == {"reason": f"ChannelRateLimitReached: {TOO_LARGE}"}

        short = await track(attacker, {"lists": [[]] * 100}, "realtime:one")
        assert short["payload"]["status"] == "ok"


@pytest.mark.parametrize("settings", [RealtimeSettings(kept_bytes_per_network=10_000)])
async def test_18a8_a_channel_counts_even_if_its_join_is_short(open_client: OpenClient) -> None:
    async with open_client(additional_headers=ATTACKER) as attacker:
        statuses = [(await attacker.join(topic=f"realtime:{number}"))["status"] for number in range(45)]

    assert statuses[:10] == ["ok"] * 10
    assert statuses[-1] == "error"


async def reply_among_diffs(client: Client, event: str, payload: object) -> dict[str, Any]:
    """Returns the reply. Entries of other members may arrive before it."""
    await client.send(TOPIC, event, payload, join_ref="1")
    while (frame := await client.receive())["event"] != "phx_reply":
        assert frame["event"] == "presence_diff"
    reply: dict[str, Any] = frame["payload"]
    return reply


@pytest.mark.parametrize("settings", [RealtimeSettings(sent_units_per_network=10)])
async def test_17a2_a_network_that_received_many_presence_entries_must_wait_before_it_receives_more(
    open_client: OpenClient,
) -> None:
    presence: dict[str, Any] = {"presence": {"key": "", "enabled": True}}
    replies = []
    async with open_client(additional_headers=RIVAL) as member:
        await join_with_presence(member, "rosa")
        await track(member, {"lists": [[]] * 2000})
        for _ in range(6):
            async with open_client(additional_headers=ATTACKER) as attacker:
                replies.append(await attacker.join(**presence))
        async with open_client(additional_headers=ATTACKER) as attacker:
            without_presence = await attacker.join()
            without_entries = await attacker.join(topic="realtime:another-topic", **presence)
        async with open_client(additional_headers=RIVAL) as rival:
            state = await join_with_presence(rival)
    assert replies[0]["status"] == "ok"
    assert replies[-1] == {"status": "error", "response": {"reason": f"MessageRateLimitReached: {TOO_MANY}"}}
    assert (without_presence["status"], without_entries["status"]) == ("ok", "ok")
    assert state.keys() == {"rosa"}, "another network is not affected"


@pytest.mark.parametrize("settings", [RealtimeSettings(kept_bytes_per_network=10_000)])
async def test_17a2_the_presence_entries_of_a_channel_are_limited_for_all_networks_together(
    open_client: OpenClient,
) -> None:
    large = {"type": "presence", "event": "track", "payload": {"text": "x" * 8000}}
    async with AsyncExitStack() as clients:
        members = []
        for number in range(3):
            headers = {"X-Forwarded-For": f"203.0.113.{number}"}
            members.append(await clients.enter_async_context(open_client(additional_headers=headers)))
            await join_with_presence(members[-1])
        replies = [await reply_among_diffs(member, "presence", large) for member in members]
        short_reply = await reply_among_diffs(members[2], "presence", {**large, "payload": {"text": "short"}})
        await reply_among_diffs(members[0], "phx_leave", {})
        later_reply = await reply_among_diffs(members[2], "presence", large)
    assert [reply["status"] for reply in replies] == ["ok", "ok", "error"]
    assert "The presence entries of this channel are too large together." in replies[2]["response"]["reason"]
    assert (short_reply["status"], later_reply["status"]) == ("ok", "ok")
