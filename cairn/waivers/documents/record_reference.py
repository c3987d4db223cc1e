"""The reference to a signed record that every sealed document carries in its PDF keywords, and so under its seal.

Documents sealed years ago are verified by this format, so it must never change.
"""

import re
from dataclasses import dataclass
from uuid import UUID

_REFERENCE = re.compile(r"waiver:([0-9a-f-]{36}) record:([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class RecordReference:
    waiver_id: UUID
    record_sha256: str

    def as_keyword(self) -> str:
        return f"waiver:{self.waiver_id} record:{self.record_sha256}"


def find_record_reference(keywords: str) -> RecordReference | None:
    found = _REFERENCE.search(keywords)
    return RecordReference(UUID(found[1]), found[2]) if found else None
