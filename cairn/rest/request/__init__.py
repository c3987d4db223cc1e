"""From an HTTP request to a parsed one: path, query string, headers and body, each parsed once."""

from cairn.rest.request.body import EMPTY_OR_INVALID, BodyBytes, Payload
from cairn.rest.request.http_request import HttpRequest
from cairn.rest.request.media import Explained, Media
from cairn.rest.request.parsed_request import ParsedRequest, choose_schema, parse_payload, parse_request
from cairn.rest.request.prefer import PREFERENCES

__all__ = [
    "EMPTY_OR_INVALID",
    "PREFERENCES",
    "BodyBytes",
    "Explained",
    "HttpRequest",
    "Media",
    "ParsedRequest",
    "Payload",
    "choose_schema",
    "parse_payload",
    "parse_request",
]
