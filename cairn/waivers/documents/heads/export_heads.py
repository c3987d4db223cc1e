"""Exports the heads of a company, and compares an earlier export with the heads of today.

A company that keeps an export can show later whether something has disappeared, even the newest heads.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from uuid import UUID

from cairn.db import Connection
from cairn.waivers.documents.heads import store
from cairn.waivers.documents.heads.head_proof import timestamp_json
from cairn.waivers.documents.heads.store import ChainHead

_FORMAT = "cairn heads 1"
_SEPARATOR = ",\n"


async def export_heads(connection: Connection, company_id: UUID | None) -> bytes:
    """Returns all heads of a company as JSON. Row-level security hides the heads of other companies.

    A company may have many thousands of heads, so they are encoded in a thread, some hundred at a time.
    """
    batches = [await asyncio.to_thread(_encode, batch) async for batch in store.head_batches(connection, company_id)]
    return f'{{"format": "{_FORMAT}", "heads": [\n{_SEPARATOR.join(batches)}\n]}}\n'.encode()


def _encode(heads: Sequence[ChainHead]) -> str:
    """Returns one line of JSON for each head."""
    return _SEPARATOR.join(
        json.dumps(
            {
                "text": head.content.text,
                "signature": head.signature.hex(),
                "certificate": head.certificate,
                "timestamp": timestamp_json(head),
            }
        )
        for head in heads
    )


async def check_exported_heads(connection: Connection, exported: bytes) -> AsyncIterator[str]:
    """Yields one sentence for each exported head that is no longer stored as it was.

    `exported` is the file that `export_heads` made, or `head.json` of an evidence pack.
    """
    try:
        content = json.loads(exported)
        texts = [head["text"] for head in content.get("heads", [content])]
        expected = [_parse(text) for text in texts]
    except (ValueError, KeyError, TypeError, AttributeError):
        yield "The file with exported heads cannot be read."
        return
    stored_texts: dict[UUID | None, set[str]] = {}
    for company_id, number, text in expected:
        if company_id not in stored_texts:
            stored_texts[company_id] = {
                head.content.text async for batch in store.head_batches(connection, company_id) for head in batch
            }
        if text not in stored_texts[company_id]:
            yield f"Head {number} of company {company_id or 'none'} was exported, but is missing or was replaced."


def _parse(text: str) -> tuple[UUID | None, int, str]:
    fields = dict(line.split(" ", 1) for line in text.splitlines()[1:])
    company = fields["company"]
    return (None if company == "none" else UUID(company)), int(fields["number"]), text
