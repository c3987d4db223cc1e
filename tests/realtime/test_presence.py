"""Members of a channel see who else is online.

12L6 is a finding in docs/security.md.
"""

import json
import logging
from contextlib import suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from cairn.realtime import RealtimeSettings
from tests.realtime.client import TOPIC, Client, Frame
from tests.realtime.conftest import OpenClient


async def join_with_presence(client: Client, key: str = "", topic: str = TOPIC) -> dict[str, Any]:
    """Returns the presence state that follows the join."""
    assert (await client.join(topic=topic, presence={"key": key, "enabled": True}))["status"] == "ok"
    state_frame = await client.receive()
    assert state_frame["event"] == "presence_state"
    payload: dict[str, Any] = state_frame["payload"]
    return payload


async def track(client: Client, payload: object, topic: str = TOPIC) -> Frame:
    message = {"type": "presence", "event": "track", "payload": payload}
    ref = await client.send(topic, "presence", message, join_ref="1")
    reply = await client.receive()
    assert (reply["event"], reply["ref"]) == ("phx_reply", ref)
    return reply


async def next_diff(client: Client) -> tuple[dict[str, Any], dict[str, Any]]:
    frame = await client.receive()
    assert frame["event"] == "presence_diff", frame
    return frame["payload"]["joins"], frame["payload"]["leaves"]


async def test_members_see_who_joins_and_leaves(open_client: OpenClient) -> None:
    async with open_client("1.0.0") as rosa:
        assert await join_with_presence(rosa, "rosa") == {}
        assert (await track(rosa, {"at": "the office"}))["payload"] == {"status": "ok", "response": {}}
        joins, leaves = await next_diff(rosa)
        (rosas_entry,) = joins["rosa"]["metas"]
        assert (rosas_entry["at"], leaves) == ("the office", {})

        async with open_client() as bea:
            assert await join_with_presence(bea, "bea") == {"rosa": {"metas": [rosas_entry]}}
            await track(bea, {"at": "the river"})
            (beas_entry,) = (await next_diff(rosa))[0]["bea"]["metas"]
            assert (await next_diff(bea))[0] == {"bea": {"metas": [beas_entry]}}
        assert await next_diff(rosa) == ({}, {"bea": {"metas": [beas_entry]}})


async def test_12l6_deeply_nested_presence_is_refused_without_a_server_error(
    open_client: OpenClient, caplog: pytest.LogCaptureFixture
) -> None:
    """12L6: an entry whose nesting the parser still accepted could not be encoded when its socket ended."""
    async with open_client() as rosa:
        await join_with_presence(rosa, "rosa")
        await track(rosa, {"at": "the office"})
        await next_diff(rosa)
        for depth in range(940, 1000):
            async with open_client() as mallory:
                await join_with_presence(mallory, "mallory")
                await send_nested_presence(mallory, depth)
                with suppress(ConnectionClosed):
                    await mallory.receive()
        async with open_client() as bea:
            assert (await join_with_presence(bea, "bea")).keys() == {"rosa"}
            await track(bea, {"at": "the river"})
            assert (await next_diff(rosa))[0].keys() == {"bea"}
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


async def send_nested_presence(client: Client, depth: int) -> None:
    nested = "[" * depth + "]" * depth
    payload = f'{{"type":"presence","event":"track","payload":{{"x":{nested}}}}}'
    await client.connection.send(f'["1","9",{json.dumps(TOPIC)},"presence",{payload}]')


async def test_tracking_again_replaces_the_entry_and_untracking_removes_it(client: Client) -> None:
    await join_with_presence(client, "rosa")
    await track(client, {"typing": False})
    first_entries = (await next_diff(client))[0]["rosa"]["metas"]
    await track(client, {"typing": True})
    joins, leaves = await next_diff(client)
    assert leaves == {"rosa": {"metas": first_entries}}
    assert joins["rosa"]["metas"][0]["typing"] is True
    assert joins["rosa"]["metas"][0]["phx_ref"] != first_entries[0]["phx_ref"]

    await client.send(TOPIC, "presence", {"type": "presence", "event": "untrack"}, join_ref="1")
    assert (await client.receive())["payload"]["status"] == "ok"
    assert await next_diff(client) == ({}, joins)


async def test_two_windows_with_one_key_are_two_entries(open_client: OpenClient) -> None:
    async with open_client() as first_window, open_client() as second_window:
        await join_with_presence(first_window, "rosa")
        await track(first_window, {"window": 1})
        await next_diff(first_window)
        await join_with_presence(second_window, "rosa")
        await track(second_window, {"window": 2})
        await next_diff(second_window)
        await next_diff(first_window)
        async with open_client() as third_window:
            assert [meta["window"] for meta in (await join_with_presence(third_window))["rosa"]["metas"]] == [1, 2]


async def test_the_server_generates_a_missing_key_and_old_clients_get_presence_by_default(
    open_client: OpenClient,
) -> None:
    async with open_client("1.0.0") as old_client:
        assert (await old_client.join(presence={"key": ""}))["status"] == "ok"
        assert (await old_client.receive())["event"] == "presence_state"
        await track(old_client, {})
        (key,) = (await next_diff(old_client))[0]
        assert len(key) == 36


@pytest.mark.parametrize("settings", [RealtimeSettings(max_presence_bytes=64)])
@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ("text", "Presence track payload must be a map"),
        (None, "Presence track payload must be a map"),
        ({"text": "x" * 64}, "Presence track payload is too large"),
    ],
)
async def test_an_invalid_presence_payload_is_rejected(client: Client, payload: object, reason: str) -> None:
    await join_with_presence(client)
    assert (await track(client, payload))["payload"] == {"status": "error", "response": {"reason": reason}}


async def test_a_client_without_presence_receives_no_diffs(open_client: OpenClient) -> None:
    async with open_client() as member, open_client() as client_without_presence:
        await client_without_presence.join()
        await join_with_presence(member, "rosa")
        await track(member, {})
        await next_diff(member)
        assert await client_without_presence.receives_nothing(0.1)
