"""Messages sent from SQL. They are delivered after the commit, and private ones are stored for replay."""

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
    id: str
    xid: int
    event: str
    payload: Any
