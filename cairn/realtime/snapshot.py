"""A Postgres snapshot, which tells which transactions had committed when it was taken."""

from typing import Self

from cairn.kit import frozen_dataclass


@frozen_dataclass
class Snapshot:
    oldest_running: int
    first_unassigned: int
    running: frozenset[int]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parses the text form of `pg_snapshot`, which is `xmin:xmax:xid,xid`."""
        oldest, unassigned, running = text.split(":")
        return cls(int(oldest), int(unassigned), frozenset(int(xid) for xid in running.split(",") if xid))

    def sees(self, xid: int) -> bool:
        """Returns whether this transaction had committed."""
        return xid < self.oldest_running or (xid < self.first_unassigned and xid not in self.running)
