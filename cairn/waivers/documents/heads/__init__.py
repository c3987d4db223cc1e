"""Heads: signed summaries of the histories of a company, so that a missing event, record or history is noticed.

docs/evidence-format.md describes their bytes, and decision 0100 says why they are built like this.
"""

from cairn.waivers.documents.heads.check_heads import check_heads, wrong_content, wrong_heads_around_events
from cairn.waivers.documents.heads.export_heads import check_exported_heads, export_heads
from cairn.waivers.documents.heads.head_proof import HeadProof, head_proof
from cairn.waivers.documents.heads.model import utc_text
from cairn.waivers.documents.heads.seal_heads import seal_new_events, seal_session
from cairn.waivers.documents.heads.store import (
    ChainHead,
    count_entries_around_events,
    covering_head,
    entries_of,
    is_stored_head,
    newest_head,
)
from cairn.waivers.documents.heads.timestamp_heads import timestamp_heads

__all__ = [
    "ChainHead",
    "HeadProof",
    "check_exported_heads",
    "check_heads",
    "count_entries_around_events",
    "covering_head",
    "entries_of",
    "export_heads",
    "head_proof",
    "is_stored_head",
    "newest_head",
    "seal_new_events",
    "seal_session",
    "timestamp_heads",
    "utc_text",
    "wrong_content",
    "wrong_heads_around_events",
]
