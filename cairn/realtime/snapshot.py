"""Which transactions had committed at a moment: what a subscriber knew of when it joined."""

from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Snapshot:
    oldest_running: int
    first_unborn: int
    running: frozenset[int]

    @classmethod
    def parse(cls, text: str) -> Self:
        """From Postgres' own form, `xmin:xmax:xid,xid`."""
        oldest, unborn, running = text.split(":")
        return cls(int(oldest), int(unborn), frozenset(int(xid) for xid in running.split(",") if xid))

    def sees(self, xid: int) -> bool:
        return xid < self.oldest_running or (xid < self.first_unborn and xid not in self.running)
