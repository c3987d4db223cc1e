"""A process that uses too much time or memory is ended, the caller gets a clear error, and the next call works again.

H3, M7 and 12A1 are findings in docs/security.md.
"""

import asyncio
import os
import pickle
import time
from importlib import import_module
from pathlib import Path

import pytest

from cairn.kit import LimitExceeded, PoolSize, SandboxFailed, SandboxLimits, SandboxPool, TooBusy
from cairn.kit.sandbox_reply import Reply, decode

LIMITS = SandboxLimits(cpu_seconds=1, wall_seconds=20, memory_bytes=700 * 1024 * 1024, output_bytes=100_000)
SIZE = PoolSize(processes=1, processes_per_key=1, calls_per_process=100)


def process_id() -> int:
    return os.getpid()


def is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def use_the_processor(seconds: float) -> None:
    started_at = time.process_time()
    while time.process_time() - started_at < seconds:
        pass


def wait(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def use_memory(byte_count: int) -> int:
    return len(bytearray(byte_count))


def output(byte_count: int) -> bytes:
    return bytes(byte_count)


def keep_memory(byte_count: int, _kept: list[bytes] = []) -> int:  # noqa: B006 - it is meant to be kept
    """Uses memory that is not freed after the call, and returns the id of the process."""
    _kept.append(b"x" * byte_count)
    return os.getpid()


def end_process(code: int) -> None:
    os._exit(code)


def raise_a_problem() -> None:
    raise TooBusy


def raise_an_error() -> None:
    raise ZeroDivisionError("by nothing")


async def test_a_process_is_used_again() -> None:
    pool = SandboxPool(LIMITS, SIZE)

    pids = {await pool.run("a", process_id) for _ in range(5)}

    assert len(pids) == 1
    assert os.getpid() not in pids


async def test_a_process_that_was_started_in_advance_is_used() -> None:
    pool = SandboxPool(LIMITS, SIZE)
    pool.warm_up()
    while not pool.idle_process_ids:  # noqa: ASYNC110 - the process starts in a thread
        await asyncio.sleep(0.05)
    pids = pool.idle_process_ids

    assert [await pool.run("a", process_id)] == pids


async def test_h3_a_call_that_exceeds_a_limit_is_ended_and_the_next_one_works() -> None:
    pool = SandboxPool(LIMITS, SIZE)

    with pytest.raises(LimitExceeded, match="it needs more processor time than allowed"):
        await pool.run("a", use_the_processor, 30)
    with pytest.raises(LimitExceeded, match="it needs more memory than allowed"):
        await pool.run("a", use_memory, 10**9)
    with pytest.raises(LimitExceeded, match="it needs more output than allowed"):
        await pool.run("a", output, 200_000)
    with pytest.raises(SandboxFailed, match="the process ended with 3"):
        await pool.run("a", end_process, 3)

    assert await pool.run("a", use_memory, 10**6) == 10**6
    assert len(await pool.run("a", output, 90_000)) == 90_000


async def test_h3_processor_time_is_counted_for_each_call() -> None:
    pool = SandboxPool(LIMITS, SIZE)

    for _ in range(4):
        await pool.run("a", use_the_processor, 0.7)


async def test_h3_a_call_that_only_waits_is_ended_by_the_clock() -> None:
    limits = SandboxLimits(cpu_seconds=1, wall_seconds=1, memory_bytes=LIMITS.memory_bytes, output_bytes=1000)
    pool = SandboxPool(limits, SIZE)

    with pytest.raises(SandboxFailed, match="it took too long") as failure:
        await pool.run("a", wait, 60)

    assert not isinstance(failure.value, LimitExceeded), "it may succeed at another time"
    assert await pool.run("a", wait, 0) == 0


async def test_errors_of_the_function_reach_the_caller() -> None:
    pool = SandboxPool(LIMITS, SIZE)

    with pytest.raises(TooBusy):
        await pool.run("a", raise_a_problem)
    with pytest.raises(SandboxFailed, match="ZeroDivisionError: by nothing"):
        await pool.run("a", raise_an_error)


async def test_h3_a_process_that_has_grown_is_replaced() -> None:
    pool = SandboxPool(LIMITS, PoolSize(1, 1, calls_per_process=100, keep_below_bytes=200 * 1024 * 1024))

    first = await pool.run("a", keep_memory, 150 * 1024 * 1024)

    assert await pool.run("a", process_id) != first
    assert not is_running(first)


async def test_a_process_is_replaced_after_the_configured_number_of_calls() -> None:
    pool = SandboxPool(LIMITS, PoolSize(1, 1, calls_per_process=1))

    assert await pool.run("a", process_id) != await pool.run("a", process_id)


async def test_h3_idle_processes_end_except_those_to_keep() -> None:
    pool = SandboxPool(LIMITS, PoolSize(3, 3, calls_per_process=100, idle_seconds=0.3, always_idle=1))
    await asyncio.gather(*(pool.run("a", wait, 0.2) for _ in range(3)))
    pids = pool.idle_process_ids

    await asyncio.sleep(1)

    assert len(pids) == 3
    assert sum(is_running(pid) for pid in pids) == 1


async def test_h3_a_cancelled_caller_keeps_its_turn_until_the_call_has_ended() -> None:
    pool = SandboxPool(LIMITS, SIZE)
    await pool.run("a", process_id)
    call = asyncio.create_task(pool.run("a", wait, 0.6))
    await asyncio.sleep(0.2)
    call.cancel()

    started_at = time.monotonic()
    await pool.run("b", process_id)

    assert time.monotonic() - started_at > 0.2


async def test_m7_callers_beyond_the_queue_are_refused() -> None:
    pool = SandboxPool(LIMITS, PoolSize(1, 1, calls_per_process=100, waiting=3, waiting_per_key=2))
    calls = [asyncio.create_task(pool.run(key, wait, 0.3)) for key in "aaaab"]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)

    assert [isinstance(outcome, TooBusy) for outcome in outcomes] == [False, False, False, True, False]


def test_a_reply_cannot_run_code_in_the_server() -> None:
    with pytest.raises(SandboxFailed, match="the reply cannot be read"):
        decode(pickle.dumps(Reply(_Command(), 0)))


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("subprocess", "Popen"),
        # Names with a dot lead to what a module has imported.
        ("cairn.db.embedded", "subprocess.Popen"),
        ("cairn.kit.sandbox_process", "SandboxProcess"),
        ("cairn.kit.sandbox_process", "Path"),
        # A dataclass like this one has no `__setstate__`, so a reply could change the class itself.
        ("cairn.auth.openid", "OpenIdProvider"),
        # Importing this module would run the command line.
        ("cairn.__main__", "main"),
    ],
)
def test_12a1_a_reply_contains_only_our_own_frozen_classes(module: str, name: str) -> None:
    """12A1: a document process that a stranger's file had taken over could run programs in the server."""
    import_module("cairn.auth.openid")
    import_module("cairn.db.embedded")

    with pytest.raises(SandboxFailed, match="the reply cannot be read") as failure:
        decode(_pickled_name(module, name))

    assert isinstance(failure.value.__cause__, pickle.UnpicklingError)


def test_12a1_a_program_that_a_module_of_ours_imports_does_not_run(tmp_path: Path) -> None:
    import_module("cairn.db.embedded")
    marker = tmp_path / "was here"
    # Protocol 2 has no frames, so its opcodes can be part of another pickle. The first two bytes name the protocol.
    arguments = pickle.dumps((["touch", str(marker)],), protocol=2)[2:-1]

    with pytest.raises(SandboxFailed):
        decode(_pickled_name("cairn.db.embedded", "subprocess.Popen")[:-1] + arguments + pickle.REDUCE + pickle.STOP)

    time.sleep(0.3)
    assert not marker.exists()


def _pickled_name(module: str, name: str) -> bytes:
    """Returns a pickle of the object with this name, which need not exist."""
    texts = b"".join(pickle.SHORT_BINUNICODE + bytes([len(text)]) + text.encode() for text in (module, name))
    return pickle.PROTO + b"\x04" + texts + pickle.STACK_GLOBAL + pickle.STOP


class _Command:
    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("true",)
