"""Messages sent from SQL: they go out when their transaction has committed, and private ones are kept for a while."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SentMessage:
    xid: int
    topic: str
    private: bool
    event: str
    payload: Any


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """One that can be replayed to who comes later."""

    id: str
    xid: int
    event: str
    payload: Any
