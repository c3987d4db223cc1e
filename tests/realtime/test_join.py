"""Joining, leaving, and what the answers look like."""

from typing import Any

import pytest

from tests.cast import Person
from tests.realtime.client import SIGNINGS, TOPIC, Client
from tests.realtime.conftest import TokenFor


async def test_bindings_come_back_exactly_as_they_were_asked_for(anyone: Client) -> None:
    asked: list[dict[str, Any]] = [
        SIGNINGS,
        {"event": "*", "schema": "public", "table": "notifications", "filter": "read=eq.false"},
        SIGNINGS,
        {"event": "INSERT", "schema": "public", "table": "signed_waivers", "filter": None, "beyond": {"us": 1}},
    ]
    bindings = (await anyone.join(*asked))["response"]["postgres_changes"]

    ids = [binding.pop("id") for binding in bindings]
    assert bindings == asked
    assert all(isinstance(number, int) and 0 < number < 2**53 for number in ids)
    assert ids[0] == ids[2]
    assert len(set(ids)) == 3


async def test_ids_stay_the_same_from_join_to_join(anyone: Client) -> None:
    first = await anyone.join(SIGNINGS, topic="realtime:one")
    await anyone.receive()
    second = await anyone.join(SIGNINGS, topic="realtime:two")
    assert first == second


async def test_a_join_without_changes_is_answered_and_nothing_more_is_said(anyone: Client) -> None:
    assert await anyone.join() == {"status": "ok", "response": {"postgres_changes": []}}
    assert await anyone.receives_nothing(0.1)


async def test_leaving_is_answered_and_closes_the_channel(anyone: Client) -> None:
    await anyone.join()
    ref = await anyone.send(TOPIC, "phx_leave", {}, join_ref="1")

    reply, closed = await anyone.receive(), await anyone.receive()
    assert (reply["ref"], reply["payload"]["status"]) == (ref, "ok")
    assert (closed["event"], closed["ref"], closed["join_ref"]) == ("phx_close", "1", "1")

    await anyone.send(TOPIC, "broadcast", {}, join_ref="1")
    assert (await anyone.receive())["payload"]["response"] == {"reason": "unmatched topic"}


async def test_joining_again_replaces_the_earlier_join(anyone: Client) -> None:
    await anyone.join()
    await anyone.send(TOPIC, "phx_join", {"config": {}})
    closed, reply = await anyone.receive(), await anyone.receive()
    assert (closed["event"], closed["ref"]) == ("phx_close", "1")
    assert (reply["event"], reply["ref"], reply["payload"]["status"]) == ("phx_reply", "2", "ok")


@pytest.mark.parametrize(
    ("topic", "payload", "reason"),
    [
        ("realtime:", {}, "TopicNameRequired: You must provide a topic name"),
        ("elsewhere", {}, "unmatched topic"),
        (TOPIC, {"access_token": "nonsense"}, "MalformedJWT: The token provided is not a valid JWT"),
        (TOPIC, {"access_token": "a.b.c"}, "JwtSignatureError: Failed to validate JWT signature"),
        (
            "realtime:secret",
            {"config": {"private": True}},
            "Unauthorized: You do not have permissions to read from this Channel topic: secret",
        ),
    ],
)
async def test_refused_joins_say_why(anyone: Client, topic: str, payload: dict[str, object], reason: str) -> None:
    await anyone.send(topic, "phx_join", payload)
    assert (await anyone.receive())["payload"] == {"status": "error", "response": {"reason": reason}}


@pytest.mark.parametrize("config", [7, {"postgres_changes": 7}, {"postgres_changes": [7]}, {"broadcast": "loud"}])
async def test_an_unreadable_config_is_refused_and_the_socket_stays(anyone: Client, config: object) -> None:
    await anyone.send(TOPIC, "phx_join", {"config": config})
    reason = (await anyone.receive())["payload"]["response"]["reason"]
    assert reason.startswith("InvalidJoinPayload: ")
    assert (await anyone.join())["status"] == "ok"


@pytest.mark.parametrize(
    ("binding", "message"),
    [
        ({"event": "*", "schema": "auth", "table": "users"}, "Please check Realtime is enabled"),
        ({"event": "*", "schema": "waivers", "table": "signed"}, "Please check Realtime is enabled"),
        ({**SIGNINGS, "event": "DELETE"}, "Please check Realtime is enabled"),
        ({**SIGNINGS, "filter": "signer_name=near.5"}, "Error parsing `filter` params"),
        ({**SIGNINGS, "filter": "session_id=eq.5"}, "Error parsing `filter` params"),
        ({**SIGNINGS, "filter": "signer_name=match.["}, "Error parsing `filter` params"),
        ({**SIGNINGS, "filter": "nowhere=eq.5"}, "Error parsing `filter` params"),
        ({**SIGNINGS, "table": "notifications"}, "The role anon may not select from public.notifications"),
    ],
)
async def test_a_subscription_that_can_bring_nothing_says_so(
    anyone: Client, binding: dict[str, str], message: str
) -> None:
    assert (await anyone.join(binding))["status"] == "ok"
    told = (await anyone.receive())["payload"]
    assert (told["extension"], told["status"]) == ("postgres_changes", "error")
    assert message in told["message"]


async def test_who_waits_for_the_changes_is_refused_without_them(anyone: Client) -> None:
    nowhere = {"event": "*", "schema": "public", "table": "nowhere"}
    refused = await anyone.join(nowhere, postgres_changes_options={"wait": True})
    assert refused["response"]["reason"].startswith("RealtimeDisabledForConfiguration: Unable to subscribe")


async def test_a_role_that_may_select_is_told_all_is_well(anyone: Client, rosa: Person, token_for: TokenFor) -> None:
    await anyone.watch(token_for(rosa), {**SIGNINGS, "table": "notifications"})
