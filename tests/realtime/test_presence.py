"""Who is there, as everybody else sees it."""

from typing import Any

import pytest

from cairn.auth import Keyring
from cairn.realtime import RealtimeSettings
from tests.realtime.client import TOPIC, Client, Frame, connected


async def enter(client: Client, key: str = "", topic: str = TOPIC) -> dict[str, Any]:
    """Joins with presence; returns the state."""
    assert (await client.join(topic=topic, presence={"key": key, "enabled": True}))["status"] == "ok"
    state = await client.receive()
    assert state["event"] == "presence_state"
    payload: dict[str, Any] = state["payload"]
    return payload


async def track(client: Client, payload: object, topic: str = TOPIC) -> Frame:
    told = {"type": "presence", "event": "track", "payload": payload}
    ref = await client.send(topic, "presence", told, join_ref="1")
    reply = await client.receive()
    assert (reply["event"], reply["ref"]) == ("phx_reply", ref)
    return reply


async def diff(client: Client) -> tuple[dict[str, Any], dict[str, Any]]:
    frame = await client.receive()
    assert frame["event"] == "presence_diff", frame
    return frame["payload"]["joins"], frame["payload"]["leaves"]


async def test_everybody_sees_who_comes_and_goes(address: str, keyring: Keyring) -> None:
    async with connected(address, keyring.anon_key, "1.0.0") as rosa:
        assert await enter(rosa, "rosa") == {}
        assert (await track(rosa, {"at": "the desk"}))["payload"] == {"status": "ok", "response": {}}
        joins, leaves = await diff(rosa)
        (own,) = joins["rosa"]["metas"]
        assert (own["at"], leaves) == ("the desk", {})

        async with connected(address, keyring.anon_key) as bea:
            assert await enter(bea, "bea") == {"rosa": {"metas": [own]}}
            await track(bea, {"at": "the river"})
            (come,) = (await diff(rosa))[0]["bea"]["metas"]
            assert (await diff(bea))[0] == {"bea": {"metas": [come]}}
        assert await diff(rosa) == ({}, {"bea": {"metas": [come]}})


async def test_tracking_again_replaces_and_untracking_removes(anyone: Client) -> None:
    await enter(anyone, "rosa")
    await track(anyone, {"typing": False})
    first = (await diff(anyone))[0]["rosa"]["metas"]
    await track(anyone, {"typing": True})
    joins, leaves = await diff(anyone)
    assert leaves == {"rosa": {"metas": first}}
    assert joins["rosa"]["metas"][0]["typing"] is True
    assert joins["rosa"]["metas"][0]["phx_ref"] != first[0]["phx_ref"]

    await anyone.send(TOPIC, "presence", {"type": "presence", "event": "untrack"}, join_ref="1")
    assert (await anyone.receive())["payload"]["status"] == "ok"
    assert await diff(anyone) == ({}, joins)


async def test_two_windows_of_one_key_are_two_entries(address: str, keyring: Keyring) -> None:
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


async def test_without_a_key_the_server_makes_one_and_old_clients_get_presence_unasked(
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
        ("here", "Presence track payload must be a map"),
        (None, "Presence track payload must be a map"),
        ({"words": "x" * 64}, "Presence track payload is too large"),
    ],
)
async def test_what_cannot_be_tracked_is_refused(anyone: Client, payload: object, reason: str) -> None:
    await enter(anyone)
    assert (await track(anyone, payload))["payload"] == {"status": "error", "response": {"reason": reason}}


async def test_who_did_not_ask_for_presence_is_not_bothered(address: str, keyring: Keyring) -> None:
    async with connected(address, keyring.anon_key) as here, connected(address, keyring.anon_key) as deaf:
        await deaf.join()
        await enter(here, "rosa")
        await track(here, {})
        await diff(here)
        assert await deaf.receives_nothing(0.1)
