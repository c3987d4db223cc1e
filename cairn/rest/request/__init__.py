"""Parses HTTP requests: the path, the query string, the headers and the body, each once."""

from cairn.rest.request.body import EMPTY_OR_INVALID, BodyBytes, Payload
from cairn.rest.request.http_request import HttpRequest
from cairn.rest.request.media import ExplainOptions, Media
from cairn.rest.request.parsed_request import ParsedRequest, choose_schema, parse_payload, parse_request
from cairn.rest.request.prefer import PREFERENCES

__all__ = [
    "EMPTY_OR_INVALID",
    "PREFERENCES",
    "BodyBytes",
    "ExplainOptions",
    "HttpRequest",
    "Media",
    "ParsedRequest",
    "Payload",
    "choose_schema",
    "parse_payload",
    "parse_request",
]
