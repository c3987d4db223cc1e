"""A3 in docs/security.md: callers take turns before they get a database connection.

B4 and D2 are findings in docs/security.md.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from uuid import UUID

import pytest

from cairn.db import ANON, SERVICE, Principal
from cairn.rest import turns as turns_module
from cairn.rest.cost import Lane
from cairn.rest.errors import TooManyAtOnce
from cairn.rest.turns import DatabaseTurns

POOL_SIZE = 8


def account(number: int) -> Principal:
    return Principal("authenticated", {"role": "authenticated", "sub": str(UUID(int=number))})


@asynccontextmanager
async def running(turns: DatabaseTurns, callers: list[tuple[Lane, Principal, str]]) -> AsyncIterator[int]:
    """Lets requests of these callers start and not end. Yields how many of them got their turn."""
    started = 0

    async def run(lane: Lane, principal: Principal, ip: str) -> None:
        nonlocal started
        async with turns.turn(lane, principal, ip):
            started += 1
            await asyncio.Event().wait()

    async with AsyncExitStack() as stack:
        tasks = [asyncio.create_task(run(*caller)) for caller in callers]
        stack.callback(lambda: [task.cancel() for task in tasks])
        await asyncio.sleep(0.01)
        yield started


@pytest.mark.parametrize(
    ("lane", "principal", "expected"),
    [("read", ANON, 3), ("read", account(1), 3), ("insert", ANON, 3), ("pattern", account(1), 1)],
)
async def test_a3_one_caller_gets_only_some_connections(lane: Lane, principal: Principal, expected: int) -> None:
    async with running(DatabaseTurns(POOL_SIZE), [(lane, principal, "192.0.2.1")] * 24) as started:
        assert started == expected


async def test_a3_slow_requests_of_one_network_with_many_accounts_leave_connections_to_others() -> None:
    lanes: list[Lane] = ["read", "pattern"]
    attackers = [(lane, account(number), "192.0.2.1") for number in range(24) for lane in lanes]
    turns = DatabaseTurns(POOL_SIZE)
    async with running(turns, attackers) as started, asyncio.timeout(1):
        assert started == POOL_SIZE - 4
        async with turns.turn("read", account(99), "192.0.2.2"), turns.turn("insert", ANON, "192.0.2.2"):
            pass


async def test_b4_slow_requests_of_all_networks_of_one_customer_leave_connections_to_others() -> None:
    attackers: list[tuple[Lane, Principal, str]] = [
        ("read", account(number), f"2001:db8:77:{number}::1") for number in range(1, 9)
    ]
    turns = DatabaseTurns(POOL_SIZE)
    async with running(turns, attackers) as started, asyncio.timeout(1):
        assert started == POOL_SIZE - 4
        async with turns.turn("read", account(99), "2001:db8:78:1::1"):
            pass


async def test_d2_slow_inserts_of_two_networks_leave_connections_to_others() -> None:
    attackers: list[tuple[Lane, Principal, str]] = [
        ("insert", account(number), ip) for number in range(8) for ip in ("192.0.2.1", "2001:db8:77::1")
    ]
    turns = DatabaseTurns(POOL_SIZE)
    async with running(turns, attackers) as started, asyncio.timeout(1):
        assert started == POOL_SIZE - 2
        async with turns.turn("insert", ANON, "192.0.2.2"), turns.turn("insert", ANON, "192.0.2.3"):
            pass


async def test_a3_reads_of_many_networks_leave_connections_for_signing() -> None:
    turns = DatabaseTurns(POOL_SIZE)
    async with running(turns, [("read", ANON, f"192.0.2.{number}") for number in range(24)]) as started:
        assert started == POOL_SIZE - 2
        async with asyncio.timeout(1), turns.turn("insert", ANON, "192.0.2.1"):
            pass


async def test_the_service_role_does_not_wait() -> None:
    async with running(DatabaseTurns(POOL_SIZE), [("read", SERVICE, "192.0.2.1")] * 24) as started:
        assert started == 24


async def test_a_small_pool_still_serves_every_lane() -> None:
    turns = DatabaseTurns(1)
    async with asyncio.timeout(1), turns.turn("read", ANON, "192.0.2.1"), turns.turn("insert", ANON, "192.0.2.1"):
        pass


async def test_a3_the_refusal_after_a_long_wait_says_when_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns_module, "_WAIT_SECONDS", 0.05)
    turns = DatabaseTurns(POOL_SIZE)
    async with running(turns, [("read", ANON, "192.0.2.1")] * 3):
        with pytest.raises(TooManyAtOnce) as refusal:
            async with turns.turn("read", ANON, "192.0.2.1"):
                pass
    assert int(refusal.value.headers["Retry-After"]) > 0
    await asyncio.sleep(0.01)
    async with running(turns, [("read", ANON, "192.0.2.1")] * 3) as started:
        assert started == 3, "all turns were given back"


async def test_200_guests_behind_one_address_all_get_a_turn() -> None:
    turns = DatabaseTurns(POOL_SIZE)

    async def sign() -> None:
        async with turns.turn("insert", ANON, "192.0.2.1"):
            await asyncio.sleep(0.001)

    await asyncio.gather(*(sign() for _ in range(200)))
