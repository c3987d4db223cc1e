"""Presence, as the other members see it."""

from typing import Any

import pytest

from cairn.auth import Keyring
from cairn.realtime import RealtimeSettings
from tests.realtime.client import TOPIC, Client, Frame, connected


async def enter(client: Client, key: str = "", topic: str = TOPIC) -> dict[str, Any]:
    """Joins with presence and returns the state."""
    assert (await client.join(topic=topic, presence={"key": key, "enabled": True}))["status"] == "ok"
    state = await client.receive()
    assert state["event"] == "presence_state"
    payload: dict[str, Any] = state["payload"]
    return payload


async def track(client: Client, payload: object, topic: str = TOPIC) -> Frame:
    message = {"type": "presence", "event": "track", "payload": payload}
    ref = await client.send(topic, "presence", message, join_ref="1")
    reply = await client.receive()
    assert (reply["event"], reply["ref"]) == ("phx_reply", ref)
    return reply


async def diff(client: Client) -> tuple[dict[str, Any], dict[str, Any]]:
    frame = await client.receive()
    assert frame["event"] == "presence_diff", frame
    return frame["payload"]["joins"], frame["payload"]["leaves"]


async def test_members_see_who_joins_and_leaves(address: str, keyring: Keyring) -> None:
    async with connected(address, keyring.anon_key, "1.0.0") as rosa:
        assert await enter(rosa, "rosa") == {}
        assert (await track(rosa, {"at": "the office"}))["payload"] == {"status": "ok", "response": {}}
        joins, leaves = await diff(rosa)
        (own,) = joins["rosa"]["metas"]
        assert (own["at"], leaves) == ("the office", {})

        async with connected(address, keyring.anon_key) as bea:
            assert await enter(bea, "bea") == {"rosa": {"metas": [own]}}
            await track(bea, {"at": "the river"})
            (joined,) = (await diff(rosa))[0]["bea"]["metas"]
            assert (await diff(bea))[0] == {"bea": {"metas": [joined]}}
        assert await diff(rosa) == ({}, {"bea": {"metas": [joined]}})


async def test_tracking_again_replaces_and_untracking_removes(client: Client) -> None:
    await enter(client, "rosa")
    await track(client, {"typing": False})
    first = (await diff(client))[0]["rosa"]["metas"]
    await track(client, {"typing": True})
    joins, leaves = await diff(client)
    assert leaves == {"rosa": {"metas": first}}
    assert joins["rosa"]["metas"][0]["typing"] is True
    assert joins["rosa"]["metas"][0]["phx_ref"] != first[0]["phx_ref"]

    await client.send(TOPIC, "presence", {"type": "presence", "event": "untrack"}, join_ref="1")
    assert (await client.receive())["payload"]["status"] == "ok"
    assert await diff(client) == ({}, joins)


async def test_two_windows_with_one_key_are_two_entries(address: str, keyring: Keyring) -> None:
    async with connected(address, keyring.anon_key) as one, connected(address, keyring.anon_key) as other:
        await enter(one, "rosa")
        await track(one, {"window": 1})
        await diff(one)
        await enter(other, "rosa")
        await track(other, {"window": 2})
        await diff(other)
        await diff(one)
        async with connected(address, keyring.anon_key) as later:
            assert [meta["window"] for meta in (await enter(later))["rosa"]["metas"]] == [1, 2]


async def test_the_server_generates_a_missing_key_and_old_clients_get_presence_by_default(
    address: str, keyring: Keyring
) -> None:
    async with connected(address, keyring.anon_key, "1.0.0") as old:
        assert (await old.join(presence={"key": ""}))["status"] == "ok"
        assert (await old.receive())["event"] == "presence_state"
        await track(old, {})
        (key,) = (await diff(old))[0]
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
    await enter(client)
    assert (await track(client, payload))["payload"] == {"status": "error", "response": {"reason": reason}}


async def test_a_client_without_presence_receives_no_diffs(address: str, keyring: Keyring) -> None:
    async with connected(address, keyring.anon_key) as member, connected(address, keyring.anon_key) as without_presence:
        await without_presence.join()
        await enter(member, "rosa")
        await track(member, {})
        await diff(member)
        assert await without_presence.receives_nothing(0.1)
