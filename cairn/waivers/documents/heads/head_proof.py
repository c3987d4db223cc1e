"""Proves that a head covers the history of one session, without showing the other sessions of the company."""

from typing import Any
from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass
from cairn.waivers.documents.heads import store
from cairn.waivers.documents.heads.model import HeadEntry, Side, tree_path, utc_text
from cairn.waivers.documents.heads.store import ChainHead


@frozen_dataclass
class HeadProof:
    """`path` leads from the entry to the root of the head."""

    head: ChainHead
    entry: HeadEntry
    path: list[tuple[Side, bytes]]

    def as_json(self) -> dict[str, Any]:
        """Returns the content of `head.json`; see docs/evidence-format.md."""
        head = self.head
        return {
            "text": head.content.text,
            "signature": head.signature.hex(),
            "certificate": head.certificate,
            "entry": {
                "session": str(self.entry.session_id),
                "events": self.entry.event_count,
                "hash": self.entry.last_hash.hex(),
            },
            "path": [[side, sibling.hex()] for side, sibling in self.path],
            "timestamp": timestamp_json(head),
        }


async def head_proof(connection: Connection, session_id: UUID) -> HeadProof | None:
    """Returns None if no head covers the session yet. `check_session` checks whether the entry was changed."""
    head = await store.covering_head(connection, session_id)
    if head is None:
        return None
    entries = (await store.entries_of(connection, [head.id]))[head.id]
    position = next((number for number, entry in enumerate(entries) if entry.session_id == session_id), None)
    if position is None:
        return None
    return HeadProof(head, entries[position], tree_path([entry.leaf for entry in entries], position))


def timestamp_json(head: ChainHead) -> dict[str, str | None]:
    return {
        "status": head.timestamp_status,
        "token": head.timestamp_token.hex() if head.timestamp_token else None,
        "at": utc_text(head.timestamped_at) if head.timestamped_at else None,
    }
