"""A10 in docs/security.md: the filters of a subscriber never delay the live updates of others."""

import time
from contextlib import AsyncExitStack
from typing import Any

import pytest

from tests.people import Person
from tests.realtime.client import SIGNED_WAIVERS, TOPIC, Client
from tests.realtime.conftest import OpenClient, TokenFor
from tests.realtime.test_rows import CREATE_TOURS, TOURS, Execute, execute_as_admin

__all__ = ["execute_as_admin"]

# PostgreSQL compiles this pattern in some 20 milliseconds, and needs several seconds to compare it with the long story.
_SLOW_PATTERN = '"(a|b|.{1,60}){1,60}Q.{40}Z{5}%s"'
_ADD_STORY = "alter table tours add story text; grant select (story) on tours to anon, authenticated"
_INSERT_LONG_STORY = """
insert into tours
select 'Soča', '2026-05-01', 7, null, 'abc' || string_agg(encode(sha512(number::text::bytea), 'base64'), '')
  from generate_series(1, 4000) as number
"""
_TOO_SLOW = "The filters of this channel took too long. Subscribe again with a simpler filter."


def slow_filters(table: dict[str, str], column: str, count: int = 2) -> list[dict[str, str]]:
    return [{**table, "filter": f"{column}=match.{_SLOW_PATTERN % number}"} for number in range(count)]


async def refusal(client: Client, *changes: dict[str, Any], token: str | None, topic: str = TOPIC) -> str:
    """Joins and returns why the subscriptions were refused."""
    assert (await client.join(*changes, token=token, topic=topic))["status"] == "ok"
    system_frame = (await client.receive())["payload"]
    assert system_frame["status"] == "error"
    return str(system_frame["message"])


async def test_a10_filters_of_a_rival_are_not_applied_to_rows_that_she_cannot_see(
    rosa: Person, mallory: Person, token_for: TokenFor, open_client: OpenClient, execute_as_admin: Execute
) -> None:
    only_rosa = CREATE_TOURS.replace("places > 0", f"auth.jwt() ->> 'email' = '{rosa.email}'")
    await execute_as_admin(only_rosa + _ADD_STORY)
    async with open_client() as owner, open_client() as rival:
        await owner.watch(token_for(rosa), TOURS)
        await rival.watch(token_for(mallory), *slow_filters(TOURS, "story"))
        await execute_as_admin(_INSERT_LONG_STORY)
        assert await owner.next_change(timeout_seconds=2)
        assert await rival.receives_nothing(), "her filters did not run, so her channel is still open"


@pytest.mark.timing
@pytest.mark.accept("SAFE-31")
async def test_a10_a_channel_with_a_slow_filter_is_closed_with_a_reason_and_delays_no_others(
    rosa: Person, mallory: Person, token_for: TokenFor, open_client: OpenClient, execute_as_admin: Execute
) -> None:
    await execute_as_admin(CREATE_TOURS + _ADD_STORY)
    async with open_client() as honest, open_client() as slow:
        await honest.watch(token_for(rosa), {**TOURS, "filter": "story=match.^abc"})
        await slow.watch(token_for(mallory), *slow_filters(TOURS, "story"))
        started_at = time.monotonic()
        await execute_as_admin(_INSERT_LONG_STORY)
        assert await honest.next_change(timeout_seconds=5)
        assert time.monotonic() - started_at < 3
        system_frame, close_frame = await slow.receive(), await slow.receive()
        assert system_frame["payload"]["message"] == _TOO_SLOW
        assert close_frame["event"] == "phx_close"


@pytest.mark.timing
async def test_a10_many_accounts_with_slow_filters_delay_others_only_for_a_moment(
    rosa: Person, token_for: TokenFor, open_client: OpenClient, execute_as_admin: Execute
) -> None:
    await execute_as_admin(CREATE_TOURS + _ADD_STORY)
    async with AsyncExitStack() as stack:
        for number in range(24):
            # Each account is in another network, because a network may use only a few regular expressions per second.
            network = {"X-Forwarded-For": f"198.51.100.{number}"}
            slow = await stack.enter_async_context(open_client(additional_headers=network))
            account = f"00000000-0000-4000-8000-{number:012}"
            await slow.watch(token_for(rosa, sub=account), *slow_filters(TOURS, "story", count=1))
        honest = await stack.enter_async_context(open_client())
        await honest.watch(token_for(rosa), {**TOURS, "filter": "story=like.abc%"})
        started_at = time.monotonic()
        await execute_as_admin(_INSERT_LONG_STORY)
        assert await honest.next_change(timeout_seconds=10)
        assert time.monotonic() - started_at < 4


@pytest.mark.parametrize("operator", ["match", "not.imatch"])
async def test_a10_a_subscriber_without_an_account_uses_no_regular_expressions(client: Client, operator: str) -> None:
    message = await refusal(client, {**SIGNED_WAIVERS, "filter": f"signer_name={operator}.^G"}, token=None)
    assert "match and imatch are only for subscribers who are signed in" in message


async def test_a10_a_channel_with_a_regular_expression_cannot_change_to_a_token_without_an_account(
    client: Client, rosa: Person, token_for: TokenFor
) -> None:
    await client.watch(token_for(rosa), {**SIGNED_WAIVERS, "filter": "signer_name=match.^G"})
    await client.send(TOPIC, "access_token", {"access_token": token_for(rosa, role="anon")}, join_ref="1")
    system_frame, close_frame = await client.receive(), await client.receive()
    assert "match and imatch" in system_frame["payload"]["message"]
    assert close_frame["event"] == "phx_close"


async def test_a10_a_socket_has_at_most_five_regular_expressions(
    client: Client, rosa: Person, token_for: TokenFor
) -> None:
    token, two_patterns = token_for(rosa), {**SIGNED_WAIVERS, "filter": "signer_name=match.^G,signer_email=imatch.^g"}
    first, second, third = "realtime:one", "realtime:two", "realtime:three"
    await client.watch(token, two_patterns, topic=first)
    await client.watch(token, two_patterns, topic=second)
    message = await refusal(client, two_patterns, token=token, topic=third)
    assert "At most 5 filters with match or imatch are open on one socket" in message

    await client.send(first, "phx_leave", {}, join_ref="1")
    assert [(await client.receive())["event"] for _ in range(2)] == ["phx_reply", "phx_close"]
    await client.watch(token, two_patterns, topic="realtime:four")


async def test_a10_an_invalid_pattern_after_a_false_condition_is_refused(
    client: Client, rosa: Person, token_for: TokenFor
) -> None:
    """PostgreSQL skips conditions after a false one, so each condition is checked alone."""
    for number, pattern in enumerate(("[", '"(.{1,200}){1,200}$"')):
        binding = {**SIGNED_WAIVERS, "filter": f"signer_name=like.G%,signer_name=match.{pattern}"}
        assert "Error parsing `filter` params" in await refusal(
            client, binding, token=token_for(rosa), topic=f"realtime:{number}"
        )


async def test_a10_many_simple_filters_of_one_subscriber_still_select_the_right_rows(
    rosa: Person, token_for: TokenFor, client: Client, execute_as_admin: Execute
) -> None:
    await execute_as_admin(CREATE_TOURS)
    changes = [{**TOURS, "filter": f"places=eq.{places}"} for places in range(50)]
    join_reply = await client.join(*changes, token=token_for(rosa))
    await client.receive()
    await execute_as_admin("insert into tours values ('Soča', '2026-05-01', 7)")
    assert (await client.next_change())["ids"] == [join_reply["response"]["postgres_changes"][7]["id"]]
