"""Lets callers take turns before they get a database connection, so that no one occupies all connections.

A caller is an account, or the IP network of a visitor without one. A request waits first for a turn of its caller, then
for one of its network. All counting is in memory, and a free turn costs only a few microseconds. With a pool of 8
connections, slow requests of one network leave four to others, and those of all networks leave two for inserts of one
row, so that guests can sign. A request whose caller or network already uses its share gets one of the extra turns, if
one is free (`extra_turns`). Decision 97 says why.
"""

import asyncio
from types import TracebackType
from typing import NamedTuple

from cairn.db import ANON, SERVICE, Principal
from cairn.kit import FairTurns, TooBusy
from cairn.limits import larger_network_of
from cairn.rest.cost import Lane
from cairn.rest.errors import TooManyAtOnce
from cairn.rest.extra_turns import ExtraTurns

_READS_PER_CALLER = 3
_READS_PER_NETWORK = 4
_INSERTS_PER_NETWORK = 3
"""Leaves two of 8 connections to others, even if someone uses an IPv4 and an IPv6 network at the same time."""

_READS_WITH_PATTERNS = 1
"""How many requests with regular expressions or many searches run at once, altogether."""

_CONNECTIONS_WITHOUT_READS = 2
_WAITING = 2000
_WAITING_PER_KEY = 200
"""This is high, because all guests in the Wi-Fi of one company are one caller."""

_WAIT_SECONDS = 8.0
"""This is longer than the slowest requests take, so a request that waits for one of them still gets its turn."""

_RETRY_AFTER_SECONDS = 2
_ANONYMOUS = "anonymous "


class _Stages(NamedTuple):
    callers: FairTurns
    networks: FairTurns
    extra: ExtraTurns


class DatabaseTurns:
    def __init__(self, pool_size: int, extra_connections: int = 0) -> None:
        """The pool has `pool_size` connections that callers share, and `extra_connections` for extra turns."""
        reads = max(1, pool_size - _CONNECTIONS_WITHOUT_READS)
        reading_networks = _turns(reads, _READS_PER_NETWORK)
        inserting_networks = _turns(pool_size, _INSERTS_PER_NETWORK)
        extra = ExtraTurns(extra_connections)
        self._stages: dict[Lane, _Stages] = {
            "insert": _Stages(_turns(_WAITING, _INSERTS_PER_NETWORK), inserting_networks, extra),
            "read": _Stages(_turns(_WAITING, _READS_PER_CALLER), reading_networks, extra),
            "pattern": _Stages(_turns(_READS_WITH_PATTERNS, _READS_WITH_PATTERNS), reading_networks, ExtraTurns(0)),
        }

    def turn(self, lane: Lane, principal: Principal, ip: str) -> "Turn":
        """Returns a context manager that waits for the turn of this caller. The service role does not wait."""
        if principal.role == SERVICE.role:
            return Turn(None, "", "")
        network = larger_network_of(ip)
        account = principal.claims.get("sub") if principal.role != ANON.role else None
        return Turn(self._stages[lane], account or _ANONYMOUS + network, network)


class Turn:
    __slots__ = ("_caller", "_extra_since", "_network", "_stages")

    def __init__(self, stages: _Stages | None, caller: str, network: str) -> None:
        self._stages, self._caller, self._network = stages, caller, network
        self._extra_since: float | None = None
        """The time at which the turn began, if it is an extra turn."""

    async def __aenter__(self) -> None:
        """Raises TooManyAtOnce if too many others wait, or if the turn does not come within a few seconds."""
        stages = self._stages
        if stages is None:
            return
        if stages.callers.is_free(self._caller) and stages.networks.is_free(self._network):
            stages.callers.enter_now(self._caller)
            stages.networks.enter_now(self._network)
        elif stages.extra.take():
            self._extra_since = asyncio.get_running_loop().time()
        else:
            await self._wait(stages)

    async def _wait(self, stages: _Stages) -> None:
        try:
            await stages.callers.enter(self._caller)
            try:
                await stages.networks.enter(self._network)
            except BaseException:
                stages.callers.leave(self._caller)
                raise
        except TooBusy as busy:
            raise TooManyAtOnce(headers={"Retry-After": str(_RETRY_AFTER_SECONDS)}) from busy

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stages is None:
            return
        if self._extra_since is not None:
            self._stages.extra.give_back(asyncio.get_running_loop().time() - self._extra_since)
            return
        self._stages.networks.leave(self._network)
        self._stages.callers.leave(self._caller)


def _turns(running: int, running_per_key: int) -> FairTurns:
    return FairTurns(
        running=running,
        running_per_key=running_per_key,
        waiting=_WAITING,
        waiting_per_key=_WAITING_PER_KEY,
        wait_seconds=_WAIT_SECONDS,
    )
