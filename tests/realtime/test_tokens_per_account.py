"""10A3: each change is checked for each token of an account, so an account may use only a limited number of tokens.

10A3 is a finding in docs/security.md.
"""

import pytest

from cairn.realtime import RealtimeSettings
from tests.people import Person
from tests.realtime.client import TOPIC
from tests.realtime.conftest import OpenClient, TokenFor

TOO_MANY = "The channels of this account use too many different tokens"


@pytest.mark.parametrize("settings", [RealtimeSettings(sockets_per_account=2)])
async def test_10a3_the_channels_of_an_account_use_a_limited_number_of_tokens(
    open_client: OpenClient, token_for: TokenFor, rosa: Person, mallory: Person
) -> None:
    tokens = [token_for(mallory, number=number) for number in range(5)]
    async with open_client() as client, open_client() as other:
        # An account may use twice as many tokens as sockets.
        for number in range(4):
            assert (await client.join(token=tokens[number], topic=f"realtime:{number}"))["status"] == "ok"
        refused = await client.join(token=tokens[4], topic="realtime:5")
        assert refused["response"] == {"reason": f"ConnectionRateLimitReached: {TOO_MANY}"}
        assert (await client.join(token=tokens[0], topic="realtime:6"))["status"] == "ok"
        assert (await client.join(token=token_for(rosa), topic="realtime:7"))["status"] == "ok"

        # Nor can the account join a channel without its token and send the token later.
        assert (await other.join())["status"] == "ok"
        await other.send(TOPIC, "access_token", {"access_token": tokens[4]}, join_ref="1")
        assert (await other.receive())["payload"]["message"] == TOO_MANY
        assert (await other.receive())["event"] == "phx_close"

        await client.send("realtime:1", "phx_leave", {}, join_ref="2")
        while (await client.receive())["event"] != "phx_close":
            pass
        assert (await other.join(token=tokens[4]))["status"] == "ok", "a left channel does not count"


@pytest.mark.parametrize("settings", [RealtimeSettings(sockets_per_account=2)])
async def test_10a3_two_sockets_renew_their_tokens_any_number_of_times(
    open_client: OpenClient, token_for: TokenFor, rosa: Person
) -> None:
    async with open_client() as first, open_client() as second:
        for client in (first, second):
            await client.join(token=token_for(rosa), broadcast={"ack": True})
        for number in range(20):
            for client in (first, second):
                await client.send(TOPIC, "access_token", {"access_token": token_for(rosa, number=number)}, join_ref="1")
                await client.send(TOPIC, "broadcast", {"type": "broadcast", "event": "x", "payload": {}}, join_ref="1")
                while (frame := await client.receive())["event"] != "phx_reply":
                    assert frame["event"] == "broadcast"
