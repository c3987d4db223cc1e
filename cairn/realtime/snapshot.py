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

    @property
    def text(self) -> str:
        return f"{self.oldest_running}:{self.first_unassigned}:{','.join(map(str, sorted(self.running)))}"

    def is_older_than(self, other: "Snapshot") -> bool:
        """Of two snapshots with the same first unassigned transaction, the one in which more are running is older."""
        return (self.first_unassigned, -len(self.running)) < (other.first_unassigned, -len(other.running))

    def sees(self, xid: int) -> bool:
        """Returns whether this transaction had committed."""
        return xid < self.oldest_running or (xid < self.first_unassigned and xid not in self.running)


# Every transaction had committed before this snapshot, so a channel with it receives no changes.
ALL_COMMITTED = Snapshot(oldest_running=2**64, first_unassigned=2**64, running=frozenset())
