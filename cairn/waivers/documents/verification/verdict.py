"""The possible results of verifying a file."""

from datetime import datetime
from typing import Literal

from cairn.kit import frozen_dataclass
from cairn.waivers.documents.record_reference import RecordReference

State = Literal["unchanged", "changed", "foreign", "unsealed", "unreadable"]
_MESSAGES: dict[State, str] = {
    "unchanged": "This is a sealed document of this service, and it is unchanged.",
    "changed": "This document was changed after it was sealed.",
    "foreign": "This document carries a seal, but not one of this service.",
    "unsealed": "This document carries no seal.",
    "unreadable": "This is not a PDF document that can be read, or it was damaged.",
}


@frozen_dataclass
class Timestamp:
    at: datetime
    authority: str
    """The name in the certificate of the authority."""

    def __str__(self) -> str:
        return f"{self.at}, by {self.authority!r}. Decide whether you trust this authority."


@frozen_dataclass
class Verdict:
    """The fields after `state` are read from the document itself and set only when it is unchanged."""

    state: State
    record: RecordReference | None = None
    sealed_at: datetime | None = None
    timestamp: Timestamp | None = None
    head_sha256: str | None = None
    """The hash of the newest head when the document was sealed. Documents of earlier versions name none."""

    @property
    def is_unchanged(self) -> bool:
        return self.state == "unchanged"

    @property
    def message(self) -> str:
        return _MESSAGES[self.state]
