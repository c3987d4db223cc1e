"""The possible results of verifying a file."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from cairn.kit import frozen_dataclass

State = Literal["unchanged", "changed", "foreign", "unsealed", "unreadable"]
_MESSAGES: dict[State, str] = {
    "unchanged": "This is a sealed document of this service, and it is unchanged.",
    "changed": "This document was changed after it was sealed.",
    "foreign": "This document carries a seal, but not one of this service.",
    "unsealed": "This document carries no seal.",
    "unreadable": "This is not a PDF document that can be read, or it was damaged.",
}


@frozen_dataclass
class Verdict:
    """The fields after `state` are read from the document itself and set only when it is unchanged."""

    state: State
    waiver_id: UUID | None = None
    record_sha256: str | None = None
    sealed_at: datetime | None = None
    timestamp_authority: str | None = None
    """The name in the certificate of the authority. Whether to trust it is decided by the reader."""
    timestamped_at: datetime | None = None
    head_sha256: str | None = None
    """The hash of the newest head when the document was sealed. Documents of earlier versions name none."""

    @property
    def is_unchanged(self) -> bool:
        return self.state == "unchanged"

    @property
    def message(self) -> str:
        return _MESSAGES[self.state]
