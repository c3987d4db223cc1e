"""Messages sent from SQL. They are delivered after the commit, and private ones are stored for replay."""

from typing import Any

from cairn.kit import frozen_dataclass


@frozen_dataclass
class SentMessage:
    xid: int
    topic: str
    private: bool
    event: str
    payload: Any


@frozen_dataclass
class StoredMessage:
    id: str
    xid: int
    event: str
    payload: Any
