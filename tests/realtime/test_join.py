"""Clients join and leave channels, and each request gets a reply."""

import json
from typing import Any

import pytest

from tests.people import Person
from tests.realtime.client import SIGNED_WAIVERS, TOPIC, Client
from tests.realtime.conftest import TokenFor


async def test_bindings_are_echoed_unchanged(client: Client) -> None:
    requested_bindings: list[dict[str, Any]] = [
        SIGNED_WAIVERS,
        {"event": "*", "schema": "public", "table": "notifications", "filter": "read=eq.false"},
        SIGNED_WAIVERS,
        {"event": "INSERT", "schema": "public", "table": "signed_waivers", "filter": None, "unknown_field": {"a": 1}},
    ]
    bindings = (await client.join(*requested_bindings))["response"]["postgres_changes"]

    ids = [binding.pop("id") for binding in bindings]
    assert bindings == requested_bindings
    assert all(isinstance(number, int) and 0 < number < 2**53 for number in ids)
    assert ids[0] == ids[2]
    assert len(set(ids)) == 3


async def test_a_binding_has_the_same_id_in_every_join(client: Client) -> None:
    first_reply = await client.join(SIGNED_WAIVERS, topic="realtime:one")
    await client.receive()
    second_reply = await client.join(SIGNED_WAIVERS, topic="realtime:two")
    assert first_reply == second_reply


async def test_a_join_without_subscriptions_gets_only_a_reply(client: Client) -> None:
    assert await client.join() == {"status": "ok", "response": {"postgres_changes": []}}
    assert await client.receives_nothing(0.1)


@pytest.mark.parametrize("requested", [False, None])
async def test_only_a_client_that_asks_for_it_hears_that_messages_of_the_database_arrive(
    client: Client, requested: bool | None
) -> None:
    await client.join(broadcast={"replication_ready": requested})
    assert await client.receives_nothing(0.1)

    await client.join(topic="realtime:trips", broadcast={"replication_ready": True})
    frame = await client.receive()
    assert (frame["topic"], frame["event"]) == ("realtime:trips", "system")
    assert frame["payload"] == {
        "extension": "system",
        "status": "ok",
        "message": "Replication connection established",
        "channel": "trips",
    }


async def test_leaving_closes_the_channel(client: Client) -> None:
    await client.join()
    ref = await client.send(TOPIC, "phx_leave", {}, join_ref="1")

    reply, close_frame = await client.receive(), await client.receive()
    assert (reply["ref"], reply["payload"]["status"]) == (ref, "ok")
    assert (close_frame["event"], close_frame["ref"], close_frame["join_ref"]) == ("phx_close", "1", "1")

    await client.send(TOPIC, "broadcast", {}, join_ref="1")
    assert (await client.receive())["payload"]["response"] == {"reason": "unmatched topic"}


async def test_joining_again_replaces_the_earlier_join(client: Client) -> None:
    await client.join()
    await client.send(TOPIC, "phx_join", {"config": {}})
    close_frame, reply = await client.receive(), await client.receive()
    assert (close_frame["event"], close_frame["ref"]) == ("phx_close", "1")
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
async def test_a_rejected_join_has_a_reason(
    client: Client, topic: str, payload: dict[str, object], reason: str
) -> None:
    await client.send(topic, "phx_join", payload)
    assert (await client.receive())["payload"] == {"status": "error", "response": {"reason": reason}}


@pytest.mark.parametrize("config", [7, {"postgres_changes": 7}, {"postgres_changes": [7]}, {"broadcast": "loud"}])
async def test_a_malformed_config_is_rejected_and_the_socket_stays_open(client: Client, config: object) -> None:
    await client.send(TOPIC, "phx_join", {"config": config})
    reason = (await client.receive())["payload"]["response"]["reason"]
    assert reason.startswith("InvalidJoinPayload: ")
    assert (await client.join())["status"] == "ok"


@pytest.mark.parametrize(
    ("binding", "message"),
    [
        ({"event": "*", "schema": "auth", "table": "users"}, "Please check Realtime is enabled"),
        ({"event": "*", "schema": "waivers", "table": "signed"}, "Please check Realtime is enabled"),
        ({**SIGNED_WAIVERS, "event": "DELETE"}, "Please check Realtime is enabled"),
        ({**SIGNED_WAIVERS, "filter": "signer_name=near.5"}, "Error parsing `filter` params"),
        ({**SIGNED_WAIVERS, "filter": "session_id=eq.5"}, "Error parsing `filter` params"),
        ({**SIGNED_WAIVERS, "filter": "signer_name=match.^G"}, "only for subscribers who are signed in"),
        ({**SIGNED_WAIVERS, "filter": "nowhere=eq.5"}, "Error parsing `filter` params"),
        ({**SIGNED_WAIVERS, "table": "notifications"}, "The role anon may not select from public.notifications"),
    ],
)
async def test_a_subscription_that_can_never_match_is_reported(
    client: Client, binding: dict[str, str], message: str
) -> None:
    assert (await client.join(binding))["status"] == "ok"
    system_payload = (await client.receive())["payload"]
    assert (system_payload["extension"], system_payload["status"]) == ("postgres_changes", "error")
    assert message in system_payload["message"]


async def test_a_join_that_waits_for_its_subscription_fails_without_it(client: Client) -> None:
    unpublished_table = {"event": "*", "schema": "public", "table": "nowhere"}
    reply = await client.join(unpublished_table, postgres_changes_options={"wait": True})
    assert reply["response"]["reason"].startswith("RealtimeDisabledForConfiguration: Unable to subscribe")


async def test_a_role_with_the_select_privilege_can_subscribe(
    client: Client, rosa: Person, token_for: TokenFor
) -> None:
    await client.watch(token_for(rosa), {**SIGNED_WAIVERS, "table": "notifications"})


@pytest.mark.parametrize("join_ref", [str(2**63), 2**63, str(-(2**63) - 1)])
async def test_17l6_a_join_with_a_huge_reference_is_no_server_error(client: Client, join_ref: str | int) -> None:
    """17L6 in docs/security.md: PostgreSQL cannot store such a reference, so the join is like that of a new client."""
    await client.connection.send(json.dumps([join_ref, "1", TOPIC, "phx_join", {"config": {}}]))

    assert (await client.receive())["payload"]["status"] == "ok"


async def test_17l6_a_topic_with_half_of_a_character_is_refused_with_a_reason(client: Client) -> None:
    reply = await client.join(topic="realtime:\ud800", private=True)

    assert reply["response"]["reason"].endswith("the topic contains half of a character")
