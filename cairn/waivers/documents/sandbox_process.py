"""Parses uploaded files in a separate process with little memory and little time.

A kilobyte of PDF can expand to gigabytes in any parser. In the separate process, only the parsing fails.
"""

import asyncio
import multiprocessing
import signal
import sys
from collections.abc import Callable
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from threading import BoundedSemaphore
from typing import ParamSpec, TypeVar, cast

from cairn.kit import Problem, frozen_dataclass

_P = ParamSpec("_P")
_Result = TypeVar("_Result")

_MAX_SECONDS = 15
_MAX_MEMORY_BYTES = 512 * 1024 * 1024
# Each process may use that much memory, so at most two run at the same time and further files wait.
_slots = BoundedSemaphore(2)


class SandboxFailed(Exception):
    """The parser needed too much memory or time, or crashed."""


@frozen_dataclass
class _RaisedProblem:
    """A Problem in a form that can be pickled."""

    problem_type: type[Problem]
    parameters: dict[str, object]


async def run_in_sandbox(parse: Callable[_P, _Result], *args: _P.args, **kwargs: _P.kwargs) -> _Result:
    """Return the result of `parse`, raise the Problem it raised, or raise SandboxFailed."""
    assert not kwargs, "only positional arguments are supported"
    result = await asyncio.to_thread(_run_process, parse, args)
    if isinstance(result, _RaisedProblem):
        raise result.problem_type(**result.parameters)
    return cast("_Result", result)


def _run_process(parse: Callable[..., object], args: tuple[object, ...]) -> object:
    receiver, sender = multiprocessing.Pipe(duplex=False)
    with _slots, receiver:
        # A daemon process never outlives the server. The type stubs of a context do not know its Process class.
        process = _process_context().Process(target=_main, args=(sender, parse, args), daemon=True)  # type: ignore[attr-defined]
        process.start()
        sender.close()
        try:
            if not receiver.poll(_MAX_SECONDS):
                raise SandboxFailed("out of time")
            return receiver.recv()
        except EOFError as closed:
            raise SandboxFailed("out of memory") from closed
        finally:
            process.kill()
            process.join()
            process.close()


@cache
def _process_context() -> BaseContext:
    """Each process is forked in milliseconds from a fork server that has only the PDF libraries loaded."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["cairn.waivers.documents"])
    return context


def _main(sender: Connection, parse: Callable[..., object], args: tuple[object, ...]) -> None:
    _limit_resources()
    try:
        result = parse(*args)
    except Problem as problem:
        result = _RaisedProblem(type(problem), problem.parameters)
    except Exception:
        # Nothing is sent, which means to the parent that the file could not be parsed. The reason does not matter.
        return
    sender.send(result)


def _limit_resources() -> None:
    # Ctrl-C is meant for the server, which then ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not available on Windows

    resource.setrlimit(resource.RLIMIT_AS, (_MAX_MEMORY_BYTES, _MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_MAX_SECONDS, _MAX_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
