"""Checks the records and the history of one session, and the signed heads that cover them."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from cryptography.x509 import Certificate

from cairn.db import Connection
from cairn.kit import frozen_dataclass
from cairn.waivers.documents import store
from cairn.waivers.documents.heads import (
    ChainHead,
    count_entries_around_events,
    covering_head,
    entries_of,
    is_stored_head,
    wrong_content,
    wrong_heads_around_events,
)
from cairn.waivers.documents.sealing import fingerprint_of


@frozen_dataclass
class CoveringHead:
    """The newest head that covers a session. `timestamp_status` is none, pending or confirmed."""

    number: int
    at: datetime
    timestamp_status: str
    timestamped_at: datetime | None

    def __str__(self) -> str:
        confirmed = {
            "none": "no external timestamp",
            "pending": "external timestamp pending",
            "confirmed": f"confirmed by a timestamp authority at {self.timestamped_at}",
        }[self.timestamp_status]
        return f"number {self.number}, signed {self.at}, {confirmed}"


@frozen_dataclass
class SessionEvidence:
    """What is wrong with the evidence of a session. `head` is None if no head covers the session yet.

    `is_complete` is False if the heads around the events were not checked, because they have too many entries.
    """

    broken_reasons: list[str]
    head: CoveringHead | None
    is_complete: bool = True


async def check_session(
    connection: Connection,
    session_id: UUID,
    certificates: Sequence[Certificate],
    named_head: str | None = None,
    *,
    max_entries: int | None = None,
) -> SessionEvidence:
    """`certificates` are those of every seal that this deployment has used.

    `named_head` is the hash of the head that a sealed document names. It must still be stored.
    `max_entries` is given for look-ups, which anyone may make. Then only the heads around the events that open, sign,
    seal, revoke or erase are checked, and none of them if they have more entries than that.
    """
    reasons = [str(entry) for entry in await store.broken_evidence(connection, session_id)]
    if named_head is not None:
        company_id = await store.company_of_session(connection, session_id)
        if not await is_stored_head(connection, company_id, named_head):
            reasons.append(f"head {named_head}, which the document names, is missing or was replaced")
    by_fingerprint = {fingerprint_of(certificate): certificate for certificate in certificates}
    head = await covering_head(connection, session_id)
    if head is not None:
        entries = (await entries_of(connection, [head.id]))[head.id]
        reasons += [
            f"head {head.content.number}: {reason}" async for reason in wrong_content(head, entries, by_fingerprint)
        ]
    is_complete = True
    if not reasons:
        # A forged history may claim times at which very many heads were signed, so these heads are checked last.
        is_complete = max_entries is None or await _has_few_entries(connection, session_id, max_entries)
        if is_complete:
            reasons = await wrong_heads_around_events(
                connection, session_id, by_fingerprint, only_of_waivers=max_entries is not None
            )
    return SessionEvidence(reasons, None if head is None else _as_covering(head), is_complete)


async def _has_few_entries(connection: Connection, session_id: UUID, max_entries: int) -> bool:
    return await count_entries_around_events(connection, session_id, only_of_waivers=True) <= max_entries


def _as_covering(head: ChainHead) -> CoveringHead:
    content = head.content
    return CoveringHead(content.number, content.at, head.timestamp_status, head.timestamped_at)
