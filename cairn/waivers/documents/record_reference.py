"""The reference to the signed record that is in the PDF keywords of every sealed document, covered by the seal.

Documents that were sealed years ago have this format, so it must never change.
"""

import re
from uuid import UUID

from cairn.kit import frozen_dataclass

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
