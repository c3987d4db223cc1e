"""10A2: each channel can have its own columns and filters, which cost time at every change that the channel sees.

10A2 is a finding in docs/security.md.
"""

from contextlib import AsyncExitStack
from typing import Any

import pytest

from cairn.auth import Keyring
from cairn.db import Database
from cairn.jobs import OutboxNotifier
from cairn.realtime import RealtimeSettings
from tests.factories import make_session, sign
from tests.people import Person
from tests.realtime.client import SIGNED_WAIVERS, Client
from tests.realtime.conftest import OpenClient, TokenFor
from tests.realtime.test_network_limits import ATTACKER, RIVAL

TOO_MANY = (
    "ChannelRateLimitReached: This network has too many subscriptions to changes. "
    "Leave some channels, or use fewer filters and column selections."
)
FILTERED = {**SIGNED_WAIVERS, "filter": "signer_name=eq.Gil"}
SELECTED = {**SIGNED_WAIVERS, "select": ["id", "signer_name"]}
FEW_UNITS = pytest.mark.parametrize("settings", [RealtimeSettings(change_units_per_network=30)])


async def count_joins(client: Client, binding: dict[str, Any], token: str | None = None) -> int:
    """Joins channels with this subscription until one is refused, and returns how many were accepted."""
    for number in range(40):
        reply = await client.join(binding, token=token, topic=f"realtime:{binding} {number}")
        if reply["status"] == "error":
            assert reply["response"] == {"reason": TOO_MANY}
            return number
        assert (await client.receive())["event"] == "system"
    return 40


@FEW_UNITS
# A subscription costs one unit, five more with a filter, and twenty more with selected columns.
@pytest.mark.parametrize(("binding", "joins"), [(SIGNED_WAIVERS, 30), (FILTERED, 5), (SELECTED, 1)])
async def test_10a2_a_network_has_a_limited_number_of_subscriptions_by_what_they_cost(
    open_client: OpenClient, binding: dict[str, Any], joins: int
) -> None:
    async with open_client(additional_headers=ATTACKER) as attacker:
        assert await count_joins(attacker, binding) == joins


@FEW_UNITS
async def test_10a2_other_networks_are_not_affected_and_closed_channels_do_not_count(open_client: OpenClient) -> None:
    async with AsyncExitStack() as clients:
        attackers = [await clients.enter_async_context(open_client(additional_headers=ATTACKER)) for _ in range(2)]
        rival = await clients.enter_async_context(open_client(additional_headers=RIVAL))
        assert await count_joins(attackers[0], SELECTED) == 1
        assert await count_joins(attackers[1], SELECTED) == 0, "a second socket has no units of its own"
        assert await count_joins(rival, SELECTED) == 1
        await attackers[0].connection.close()
        assert await count_joins(attackers[1], SELECTED) == 1


@pytest.mark.parametrize("settings", [RealtimeSettings(change_units_per_network=30, kept_bytes_per_network=4000)])
async def test_10a2_a_refused_join_keeps_no_memory(open_client: OpenClient) -> None:
    async with open_client(additional_headers=ATTACKER) as attacker:
        assert await count_joins(attacker, SELECTED) == 1
        for number in range(20):
            reply = await attacker.join(SELECTED, topic=f"realtime:{number}", note="x" * 1000)
            assert reply["response"] == {"reason": TOO_MANY}


@FEW_UNITS
async def test_10a2_the_service_key_has_no_limit(open_client: OpenClient, keyring: Keyring) -> None:
    async with open_client(additional_headers=ATTACKER) as service:
        assert await count_joins(service, SELECTED, keyring.service_key) == 40


async def test_10a2_the_dashboards_of_a_large_office_are_accepted(
    open_client: OpenClient, token_for: TokenFor, rosa: Person, database: Database, notifier: OutboxNotifier
) -> None:
    """The web app has two channels, with six subscriptions together."""
    session = await make_session(database, rosa)
    async with AsyncExitStack() as clients:
        windows = [await clients.enter_async_context(open_client(additional_headers=RIVAL)) for _ in range(100)]
        for window in windows:
            await window.watch(token_for(rosa))
            await window.watch(token_for(rosa), *[SIGNED_WAIVERS] * 5, topic="realtime:others")
        await sign(database, session)
        notifier.notify()
        for window in windows:
            assert (await window.next_change(20))["data"]["record"]["session_id"] == str(session)
