from collections.abc import AsyncGenerator, Mapping
from dataclasses import field

from cairn.kit import frozen_dataclass
from cairn.rest.response.overrides import Headers

JSON = "application/json; charset=utf-8"


@frozen_dataclass
class Response:
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | AsyncGenerator[bytes, None] = b""
    header_overrides: Headers = ()
    """Headers set by a SQL function; each replaces the header of the same name in `headers`."""
