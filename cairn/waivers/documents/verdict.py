"""What can be said of a file that claims to be one of ours."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

State = Literal["unchanged", "changed", "foreign", "unsealed", "unreadable"]
SAYS: dict[State, str] = {
    "unchanged": "This is a sealed document of this service, and it is unchanged.",
    "changed": "This document was changed after it was sealed.",
    "foreign": "This document carries a seal, but not one of this service.",
    "unsealed": "This document carries no seal.",
    "unreadable": "This is not a PDF document that can be read, or it was damaged.",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Everything but the state is what the document says of itself, and told only of an unchanged one."""

    state: State
    waiver_id: UUID | None = None
    record_sha256: str | None = None
    sealed_at: datetime | None = None
    timestamped_at: datetime | None = None

    @property
    def unchanged(self) -> bool:
        return self.state == "unchanged"

    @property
    def says(self) -> str:
        return SAYS[self.state]
