"""What a sandbox process sends back: the result of the call, or why there is none."""

import io
import os
import pickle
import sys
from collections.abc import Callable
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

from cairn.kit.dataclasses import frozen_dataclass
from cairn.kit.problem import Problem


class SandboxFailed(Exception):
    """The call has no result."""


class LimitExceeded(SandboxFailed):
    """The call needed too much processor time, memory or output. A retry would need as much, so it is of no use."""

    def __init__(self, limit: str) -> None:
        super().__init__(f"it needs more {limit} than allowed")
        self.limit = limit


class TookTooLong(SandboxFailed):
    """The call was stopped after `wall_seconds`. The machine may be busy, so a retry may succeed."""

    def __init__(self) -> None:
        super().__init__("it took too long")


class CallFailed(SandboxFailed):
    """The function raised an exception, or its process crashed."""


@frozen_dataclass
class Reply:
    result: object
    resident_bytes: int

    def value(self) -> object:
        """Returns the result, or raises what the function raised."""
        if isinstance(self.result, _RaisedProblem):
            raise self.result.problem_type(**self.result.parameters)
        if isinstance(self.result, _Failure):
            raise LimitExceeded("memory") if self.result.is_out_of_memory else CallFailed(self.result.text)
        return self.result


@frozen_dataclass
class _RaisedProblem:
    """A Problem in a form that can be pickled."""

    problem_type: type[Problem]
    parameters: dict[str, object]


@frozen_dataclass
class _Failure:
    text: str
    is_out_of_memory: bool = False


def call(function: Callable[..., object], args: tuple[object, ...]) -> Reply:
    return Reply(_result(function, args), _resident_bytes())


def _result(function: Callable[..., object], args: tuple[object, ...]) -> object:
    try:
        return function(*args)
    except Problem as problem:
        return _RaisedProblem(type(problem), problem.parameters)
    except MemoryError:
        return _Failure("", is_out_of_memory=True)
    except BaseException as error:
        return _Failure(f"{type(error).__name__}: {error}"[:1000])


def _resident_bytes() -> int:
    """Returns 0 on systems other than Linux."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def encode(reply: Reply) -> bytes:
    return pickle.dumps(reply)


def decode(encoded: bytes) -> Reply:
    """Creates only plain values and our own classes. The process has read a stranger's file and may be compromised."""
    try:
        reply = _ReplyUnpickler(io.BytesIO(encoded)).load()
    except Exception as error:
        # Damaged bytes can make the unpickler fail in any way.
        raise CallFailed("the reply cannot be read") from error
    if not isinstance(reply, Reply):
        raise CallFailed("the reply cannot be read")
    return reply


_PLAIN_TYPES = {
    ("builtins", "bytearray"),
    ("datetime", "datetime"),
    ("datetime", "timedelta"),
    ("datetime", "timezone"),
    ("uuid", "SafeUUID"),
    ("uuid", "UUID"),
}


class _ReplyUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN_TYPES or _is_own_class(module, name):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"a reply contains no {module}.{name}")


def _is_own_class(module: str, name: str) -> bool:
    """Returns whether one of our modules defines a frozen dataclass or a Problem with this name.

    All other classes are refused: our modules also import classes that run programs, and some of our own classes start
    something when they are created. The class must have `__setstate__`, because otherwise a reply could set attributes
    of the class itself. A module that is not loaded is not imported, because importing it may run something too.
    """
    found = vars(sys.modules[module]).get(name) if module.startswith("cairn.") and module in sys.modules else None
    if not isinstance(found, type) or found.__module__ != module or not hasattr(found, "__setstate__"):
        return False
    return is_dataclass(found) or issubclass(found, Problem)
