"""Files of strangers are read in a process of their own, with little memory and little time.

A kilobyte of PDF can unfold to gigabytes in any reader there is. There, that ends the reading and nothing else.
"""

import asyncio
import multiprocessing
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from threading import BoundedSemaphore
from typing import ParamSpec, TypeVar, cast

from cairn.kit import Problem

_P = ParamSpec("_P")
_Result = TypeVar("_Result")

_SECONDS = 15
_MEMORY = 512 * 1024 * 1024
# Each has its memory; more strangers than this wait for their turn.
_turns = BoundedSemaphore(2)


class ReadingFailed(Exception):
    """It took too much memory or time, or fell over the file."""


@dataclass(frozen=True, slots=True)
class _Refusal:
    """A Problem as it travels between processes."""

    kind: type[Problem]
    facts: dict[str, object]


async def apart(read: Callable[_P, _Result], *args: _P.args, **kwargs: _P.kwargs) -> _Result:
    """What `read` returns; the Problem it raises; or ReadingFailed."""
    assert not kwargs, "only positions execute"
    answer = await asyncio.to_thread(_ask, read, args)
    if isinstance(answer, _Refusal):
        raise answer.kind(**answer.facts)
    return cast("_Result", answer)


def _ask(read: Callable[..., object], args: tuple[object, ...]) -> object:
    ours, theirs = multiprocessing.Pipe(duplex=False)
    with _turns, ours:
        # daemon: it never outlives the server that asked. The stubs of a context do not know its own Process.
        reader = _workshop().Process(target=_read, args=(theirs, read, args), daemon=True)  # type: ignore[attr-defined]
        reader.start()
        theirs.close()
        try:
            if not ours.poll(_SECONDS):
                raise ReadingFailed("out of time")
            return ours.recv()
        except EOFError as gone:
            raise ReadingFailed("out of memory") from gone
        finally:
            reader.kill()
            reader.join()
            reader.close()


@cache
def _workshop() -> BaseContext:
    """Readers are forked from a process that has the libraries ready and nothing else, in milliseconds."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["cairn.waivers.documents"])
    return context


def _read(answer: Connection, read: Callable[..., object], args: tuple[object, ...]) -> None:
    _limit()
    try:
        said = read(*args)
    except Problem as problem:
        said = _Refusal(type(problem), problem.parameters)
    except Exception:
        # Whatever it was, the silence says that the file could not be read.
        return
    answer.send(said)


def _limit() -> None:
    # Ctrl-C is for the server, which then ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on every system

    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
