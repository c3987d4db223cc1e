"""Parses HTTP requests: the path, the query string, the headers and the body, each once."""

from cairn.rest.request.body import EMPTY_OR_INVALID, BodyBytes, Payload, media_type
from cairn.rest.request.http_request import HttpRequest
from cairn.rest.request.media import ExplainOptions, Media
from cairn.rest.request.parsed_request import (
    METHODS_WITH_BODY,
    ParsedRequest,
    choose_schema,
    parse_payload,
    parse_request,
)
from cairn.rest.request.prefer import PREFERENCES
from cairn.rest.request.tabular_body import TABULAR_TYPES, tabular_to_json

__all__ = [
    "EMPTY_OR_INVALID",
    "METHODS_WITH_BODY",
    "PREFERENCES",
    "TABULAR_TYPES",
    "BodyBytes",
    "ExplainOptions",
    "HttpRequest",
    "Media",
    "ParsedRequest",
    "Payload",
    "choose_schema",
    "media_type",
    "parse_payload",
    "parse_request",
    "tabular_to_json",
]
