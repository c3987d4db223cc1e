"""Checks the heads of a company: their numbers, links, signatures, entries and timestamps.

The SQL function `waivers.broken_evidence` checks whether the histories match the entries.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from asyncpg import Record
from cryptography.x509 import Certificate

from cairn.db import Connection
from cairn.waivers.documents.heads import store
from cairn.waivers.documents.heads.model import HeadContent, HeadEntry, tree_root
from cairn.waivers.documents.heads.store import ChainHead
from cairn.waivers.documents.sealing import fingerprint_of, is_signed_by

# At most this many heads and entries are checked in a thread at a time, so that a check can be cancelled in between.
_HEADS_PER_BATCH = 100
_ENTRIES_PER_BATCH = 2000
# The clocks of this server and the timestamp authority may differ.
_MAX_CLOCK_DIFFERENCE = timedelta(minutes=15)


async def check_heads(
    connection: Connection, company_id: UUID | None, certificates: Sequence[Certificate]
) -> AsyncIterator[str]:
    """Yields one sentence for each contradiction. Yields nothing if all heads are as they were signed."""
    by_fingerprint = {fingerprint_of(certificate): certificate for certificate in certificates}
    previous: HeadContent | None = None
    async for heads in store.head_batches(connection, company_id):
        entries = await store.entries_of(connection, [head.id for head in heads])
        for head in heads:
            for reason in wrong_links(head.content, previous):
                yield f"Head {head.content.number}: {reason}."
            async for reason in wrong_content(head, entries[head.id], by_fingerprint):
                yield f"Head {head.content.number}: {reason}."
            previous = head.content


def wrong_links(content: HeadContent, previous: HeadContent | None) -> list[str]:
    """Compares a head with the one before it."""
    reasons = []
    expected_number = previous.number + 1 if previous else 1
    if content.number != expected_number:
        reasons.append(f"head {expected_number} is missing")
    elif content.previous != (previous.hash if previous else None):
        reasons.append("the previous head was changed or replaced")
    if previous and any(
        count < earlier_count
        for count, earlier_count in (
            (content.session_count, previous.session_count),
            (content.waiver_count, previous.waiver_count),
            (content.event_count, previous.event_count),
        )
    ):
        reasons.append("it counts fewer sessions, waivers or events than the previous head")
    return reasons


async def wrong_content(
    head: ChainHead, entries: Sequence[HeadEntry], certificates: Mapping[str, Certificate]
) -> AsyncIterator[str]:
    """Compares a head with its hash, its signature, its entries and its timestamp."""
    for reason in await asyncio.to_thread(list, _wrong_signed_content(head, entries, certificates)):
        yield reason
    if head.timestamp_token is not None and not await _is_timestamp_right(head):
        yield "its timestamp belongs to another head, was changed, or is older than the head"


def _wrong_signed_content(
    head: ChainHead, entries: Sequence[HeadEntry], certificates: Mapping[str, Certificate]
) -> Iterator[str]:
    content = head.content
    if content.hash != head.hash:
        yield "it was changed: its hash is wrong"
    certificate = certificates.get(head.certificate)
    if certificate is None:
        yield "it was not signed by this service"
    elif not is_signed_by(certificate, head.signature, content.text.encode()):
        yield "it was changed: its signature is wrong"
    if len(entries) != content.entry_count or not entries:
        yield "entries are missing or were added"
    elif tree_root([entry.leaf for entry in entries]) != content.root:
        yield "its entries were changed"


async def wrong_heads_around_events(
    connection: Connection, session_id: UUID, certificates: Mapping[str, Certificate], *, only_of_waivers: bool
) -> list[str]:
    """Checks the heads from just before each event of a session to the first that covers it. Returns what is wrong.

    Someone who replaces a history must delete its entries, and therefore must change or remove one of these heads.
    Heads are checked in a thread, because a busy company has many of them. For `only_of_waivers` see
    `heads_around_events`.
    """
    reasons: list[str] = []
    span, previous = 0, None
    heads = await store.heads_around_events(connection, session_id, only_of_waivers=only_of_waivers)
    for batch in _batches(heads):
        rows = await store.entry_rows(connection, [head.id for _, head in batch])
        reasons += await asyncio.to_thread(_wrong_heads, span, previous, batch, rows, certificates)
        span, previous = batch[-1][0], batch[-1][1].content
    return reasons


def _batches(heads: Iterable[tuple[int, ChainHead]]) -> Iterator[list[tuple[int, ChainHead]]]:
    batch: list[tuple[int, ChainHead]] = []
    entry_count = 0
    for span, head in heads:
        entry_count += head.content.entry_count
        if batch and (entry_count > _ENTRIES_PER_BATCH or len(batch) == _HEADS_PER_BATCH):
            yield batch
            batch, entry_count = [], head.content.entry_count
        batch.append((span, head))
    if batch:
        yield batch


def _wrong_heads(
    span: int,
    previous: HeadContent | None,
    heads: Sequence[tuple[int, ChainHead]],
    rows: Sequence[Record],
    certificates: Mapping[str, Certificate],
) -> list[str]:
    """Returns what is wrong with these heads. `span` and `previous` belong to the head just before them.

    A span is a run of consecutive heads; span 0 begins with the first head of the company. A head is compared with the
    previous one only within a span, because the heads between two spans are not read.
    """
    entries = store.entries_by_head([head.id for _, head in heads], rows)
    reasons: list[str] = []
    for head_span, head in heads:
        content = head.content
        found = [*_wrong_signed_content(head, entries[head.id], certificates)]
        if head_span == span:
            found += wrong_links(content, previous)
        reasons += [f"head {content.number}: {reason}" for reason in found]
        span, previous = head_span, content
    return reasons


async def _is_timestamp_right(head: ChainHead) -> bool:
    # Imported on first use, because pyHanko would take an eighth of an idle server's memory.
    from cairn.waivers.documents.sealing.timestamps import WrongTimestamp, read_timestamp  # noqa: PLC0415 - see above

    assert head.timestamp_token is not None, "the caller has checked it"
    try:
        confirmed_at = await read_timestamp(head.timestamp_token, head.content.hash)
    except WrongTimestamp:
        return False
    # Someone who can change the database can add a timestamp from an authority that they run themselves. One that is
    # older than the head is rejected here.
    return confirmed_at == head.timestamped_at and confirmed_at >= head.content.at - _MAX_CLOCK_DIFFERENCE
