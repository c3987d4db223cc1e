"""The references that are in the PDF keywords of every sealed document, covered by the seal.

One is the reference to the signed record. The other one names the newest head of the company, if there was one.

Documents that were sealed years ago have this format, so it must never change.
"""

import re
from uuid import UUID

from cairn.kit import frozen_dataclass

_HEAD = re.compile(r"\bhead:([0-9a-f]{64})\b")
_REFERENCE = re.compile(r"waiver:([0-9a-f-]{36}) record:([0-9a-f]{64})")


@frozen_dataclass
class RecordReference:
    waiver_id: UUID
    record_sha256: str

    def as_keyword(self) -> str:
        return f"waiver:{self.waiver_id} record:{self.record_sha256}"


def find_record_reference(keywords: str) -> RecordReference | None:
    match = _REFERENCE.search(keywords)
    return RecordReference(UUID(match[1]), match[2]) if match else None


def head_keyword(sha256: str) -> str:
    return f"head:{sha256}"


def find_head_reference(keywords: str) -> str | None:
    """Returns the hash of the head that the document names, or None."""
    match = _HEAD.search(keywords)
    return match[1] if match else None
