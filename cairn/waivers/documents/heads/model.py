"""The rules of heads, without a database: their text, and the Merkle tree of their entries.

docs/evidence-format.md describes the bytes. Heads are checked years later, so the format must never change.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal
from uuid import UUID

from cairn.kit import frozen_dataclass

_TITLE = "cairn head 1"

Side = Literal["left", "right"]


@frozen_dataclass
class HeadEntry:
    """Says how many events the history of a session has, and which hash the last of them has."""

    session_id: UUID
    event_count: int
    last_hash: bytes

    @property
    def leaf(self) -> bytes:
        return _sha256(b"\x00" + f"{self.session_id}\n{self.event_count}\n{self.last_hash.hex()}".encode())


@frozen_dataclass
class HeadContent:
    """The content of a head, which this deployment signs. The counts include everything that earlier heads covered."""

    company_id: UUID | None
    number: int
    previous: bytes | None
    at: datetime
    session_count: int
    waiver_count: int
    event_count: int
    entry_count: int
    root: bytes

    @property
    def text(self) -> str:
        fields = {
            "company": self.company_id or "none",
            "number": self.number,
            "previous": self.previous.hex() if self.previous else "none",
            "time": utc_text(self.at),
            "sessions": self.session_count,
            "waivers": self.waiver_count,
            "events": self.event_count,
            "entries": self.entry_count,
            "root": self.root.hex(),
        }
        return "\n".join([_TITLE, *(f"{name} {value}" for name, value in fields.items())]) + "\n"

    @property
    def hash(self) -> bytes:
        return _sha256(self.text.encode())


def tree_root(leaves: Sequence[bytes]) -> bytes:
    """Returns the root of the Merkle tree of RFC 6962. There must be at least one leaf."""
    if len(leaves) == 1:
        return leaves[0]
    middle = _left_size(len(leaves))
    return _node(tree_root(leaves[:middle]), tree_root(leaves[middle:]))


def tree_path(leaves: Sequence[bytes], position: int) -> list[tuple[Side, bytes]]:
    """Returns the hashes that lead from the leaf at `position` to the root, and on which side each of them is."""
    if len(leaves) == 1:
        return []
    middle = _left_size(len(leaves))
    if position < middle:
        return [*tree_path(leaves[:middle], position), ("right", tree_root(leaves[middle:]))]
    return [*tree_path(leaves[middle:], position - middle), ("left", tree_root(leaves[:middle]))]


def utc_text(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z"


def _left_size(count: int) -> int:
    """Returns the largest power of two that is smaller than `count`."""
    return 1 << ((count - 1).bit_length() - 1)


def _node(left: bytes, right: bytes) -> bytes:
    return _sha256(b"\x01" + left + right)


def _sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
