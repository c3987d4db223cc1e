"""Fast requests of one caller get further connections, and slow ones do not take connections away from others.

A3 is a finding in docs/security.md.
"""

import asyncio
from contextlib import AsyncExitStack

import pytest

from cairn.db import ANON
from cairn.rest import extra_turns as extra_turns_module
from cairn.rest.cost import Lane
from cairn.rest.turns import DatabaseTurns
from tests.rest.test_turns import POOL_SIZE, account, running

EXTRA = 5
ATTACKER = "192.0.2.1"
OTHERS = "192.0.2.2"
SHARES: list[tuple[Lane, int]] = [("read", 3), ("insert", 3)]


@pytest.fixture(autouse=True)
def short_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra_turns_module, "FAST_SECONDS", 0.1)
    monkeypatch.setattr(extra_turns_module, "PAUSE_FACTOR", 5)


@pytest.mark.parametrize(("lane", "share"), SHARES)
async def test_one_caller_with_fast_requests_gets_its_share_and_all_extra_connections(lane: Lane, share: int) -> None:
    turns = DatabaseTurns(POOL_SIZE, EXTRA)
    at_once, most_at_once = 0, 0

    async def request() -> None:
        nonlocal at_once, most_at_once
        async with turns.turn(lane, ANON, ATTACKER):
            at_once += 1
            most_at_once = max(most_at_once, at_once)
            await asyncio.sleep(0.001)
            at_once -= 1

    for _ in range(10):
        await asyncio.gather(*(request() for _ in range(share + EXTRA)))

    assert most_at_once == share + EXTRA


@pytest.mark.parametrize(("lane", "share"), SHARES)
async def test_a3_slow_requests_that_start_together_leave_as_many_connections_as_without_extra_turns(
    lane: Lane, share: int
) -> None:
    turns = DatabaseTurns(POOL_SIZE, EXTRA)
    async with running(turns, [(lane, ANON, ATTACKER)] * 24) as started, AsyncExitStack() as stack:
        assert started == share + EXTRA
        async with asyncio.timeout(1):
            await stack.enter_async_context(turns.turn("read", account(1), OTHERS))
            await stack.enter_async_context(turns.turn("insert", ANON, OTHERS))


async def test_a3_slow_requests_of_many_networks_leave_two_connections_for_signing() -> None:
    turns = DatabaseTurns(POOL_SIZE, EXTRA)
    readers: list[tuple[Lane, str]] = [("read", f"192.0.2.{number}") for number in range(24)]
    async with running(turns, [(lane, ANON, ip) for lane, ip in readers]) as started:
        assert started == POOL_SIZE - 2 + EXTRA
        async with asyncio.timeout(1), turns.turn("insert", ANON, OTHERS):
            pass


async def test_a3_regular_expressions_get_no_extra_turns() -> None:
    callers: list[Lane] = ["pattern"] * 24
    async with running(DatabaseTurns(POOL_SIZE, EXTRA), [(lane, account(1), ATTACKER) for lane in callers]) as started:
        assert started == 1


async def test_a3_after_slow_requests_a_caller_has_only_its_share_for_a_while() -> None:
    turns = DatabaseTurns(POOL_SIZE, EXTRA)
    reads: list[Lane] = ["read"] * 24
    async with running(turns, [(lane, ANON, ATTACKER) for lane in reads]):
        await asyncio.sleep(0.2)
    await asyncio.sleep(0.01)

    async with running(turns, [(lane, ANON, ATTACKER) for lane in reads]) as started:
        assert started == 3
    # The slow requests took 0.2 seconds, so the extra turns are blocked for about one second.
    await asyncio.sleep(1.3)
    async with running(turns, [(lane, ANON, ATTACKER) for lane in reads]) as started:
        assert started == 3 + EXTRA


async def test_requests_that_wait_get_a_turn_while_others_use_extra_turns() -> None:
    turns = DatabaseTurns(POOL_SIZE, EXTRA)
    finished = 0

    async def request() -> None:
        nonlocal finished
        async with turns.turn("read", ANON, ATTACKER):
            await asyncio.sleep(0.001)
            finished += 1

    await asyncio.gather(*(request() for _ in range(200)))
    assert finished == 200
