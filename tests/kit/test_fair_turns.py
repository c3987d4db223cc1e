"""Callers take turns by their key, and no turn is lost.

H3, M7, A3 and 18A11 are findings in docs/security.md.
"""

import asyncio

import pytest

from cairn.kit import FairTurns, TooBusy


async def test_h3_keys_take_turns() -> None:
    turns = FairTurns(running=1, running_per_key=1, waiting=100, waiting_per_key=100)
    order: list[str] = []

    async def work(key: str) -> None:
        await turns.enter(key)
        order.append(key)
        await asyncio.sleep(0)
        turns.leave(key)

    await asyncio.gather(*(work(key) for key in "aaaaaabc"))

    # The first call runs immediately. The others wait, and the three keys then take turns.
    assert "".join(order) == "aabcaaaa"


async def test_h3_one_key_never_takes_the_last_free_place() -> None:
    turns = FairTurns(running=3, running_per_key=2, waiting=100, waiting_per_key=100)
    for key in "aa":
        await turns.enter(key)
    third = asyncio.create_task(turns.enter("a"))
    await asyncio.sleep(0)

    async with asyncio.timeout(1):
        await turns.enter("b")

    assert not third.done()
    turns.leave("b")
    await asyncio.sleep(0)
    assert not third.done()
    turns.leave("a")
    await third


async def test_cancelled_callers_give_their_place_back() -> None:
    turns = FairTurns(running=1, running_per_key=1, waiting=100, waiting_per_key=1)
    await turns.enter("a")
    waiting = asyncio.create_task(turns.enter("a"))
    admitted = asyncio.create_task(turns.enter("b"))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    # `admitted` is cancelled at the moment when it gets its turn.
    turns.leave("a")
    admitted.cancel()
    await asyncio.gather(admitted, return_exceptions=True)

    async with asyncio.timeout(1):
        await turns.enter("c")


async def test_m7_waiting_is_limited_for_all_and_for_each_key() -> None:
    turns = FairTurns(running=1, running_per_key=1, waiting=3, waiting_per_key=2)
    await turns.enter("a")
    waiting = [asyncio.create_task(turns.enter(key)) for key in "aab"]
    await asyncio.sleep(0)

    # A caller who is not refused would wait forever.
    async with asyncio.timeout(5):
        for key in "ab":
            with pytest.raises(TooBusy):
                await turns.enter(key)

    for task in waiting:
        task.cancel()


async def test_a3_a_caller_who_waited_too_long_is_refused_and_loses_no_turn() -> None:
    turns = FairTurns(running=1, running_per_key=1, waiting=3, waiting_per_key=2, wait_seconds=0.02)
    await turns.enter("a")
    with pytest.raises(TooBusy):
        await turns.enter("b")
    turns.leave("a")

    async with asyncio.timeout(1):
        await turns.enter("b")


async def test_18a11_keys_with_many_waiting_callers_do_not_keep_out_others() -> None:
    """Before this fix, a few networks could keep everyone else from waiting for an image."""
    turns = FairTurns(running=1, running_per_key=1, waiting=4, waiting_per_key=2)
    await turns.enter("a")
    first = [asyncio.create_task(turns.enter(key)) for key in "bbcc"]
    await asyncio.sleep(0)
    later = [asyncio.create_task(turns.enter(key)) for key in "de"]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    for task in (first[1], first[3]):
        assert isinstance(task.exception(), TooBusy), "the last callers of those with the most are refused"
    assert not any(task.done() for task in (first[0], first[2], *later))
    with pytest.raises(TooBusy):
        await turns.enter("f")

    for key, task in zip("bcde", (first[0], first[2], *later), strict=True):
        turns.leave("a" if key == "b" else "bcd"["cde".index(key)])
        await asyncio.wait_for(task, 1)
    turns.leave("e")
    assert turns.is_free("a")
