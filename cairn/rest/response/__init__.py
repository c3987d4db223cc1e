"""Builds HTTP responses, with the status and headers that SQL functions may set."""

from cairn.rest.response.build import build_response, error_response, explain_response, streaming_response
from cairn.rest.response.compress import MIN_COMPRESSED_BYTES, Compressor
from cairn.rest.response.model import JSON, Response
from cairn.rest.response.overrides import Headers, is_status, valid_headers

__all__ = [
    "JSON",
    "MIN_COMPRESSED_BYTES",
    "Compressor",
    "Headers",
    "Response",
    "build_response",
    "error_response",
    "explain_response",
    "is_status",
    "streaming_response",
    "valid_headers",
]
