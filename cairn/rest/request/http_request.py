"""Defines the request as the ASGI server received it."""

from collections.abc import Mapping
from typing import NamedTuple

from cairn.rest.request.body import BodyBytes


class HttpRequest(NamedTuple):
    method: str
    path: str
    """The path below `root_path`, where the service is mounted."""

    root_path: str
    query: str
    headers: Mapping[str, str]
    ip: str
    body: BodyBytes
    """CSV and forms are already converted to JSON."""
