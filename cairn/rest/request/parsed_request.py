"""Parses the path, the query string, the headers and the body of a request."""

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, quote, urlencode

from cairn.kit import frozen_dataclass
from cairn.rest.errors import (
    MethodNotForFunctions,
    MethodNotSupported,
    NoSuchPath,
    RangeNotSatisfiable,
    SchemaNotExposed,
    UnknownPreferences,
)
from cairn.rest.grammar import Query, parse_query
from cairn.rest.request.body import BodyBytes, Payload, parse_body
from cairn.rest.request.media import Media, choose_media
from cairn.rest.request.prefer import Preferences, parse_prefer

METHODS = ("GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS")
METHODS_WITH_BODY = ("POST", "PATCH", "PUT")
CALL_METHODS = ("GET", "HEAD", "POST", "OPTIONS")
_API_KEY_PARAMETER = "apikey"
"""The project key may be in the query string. It is checked elsewhere, and is neither a filter nor sent back."""

_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{0,18})")


@frozen_dataclass
class ParsedRequest:
    method: str
    name: str
    """The name of the table or function."""

    is_call: bool
    schema: str
    has_explicit_schema: bool
    query: Query
    canonical_url: str
    """The path and the query string with sorted parameters, so that equal requests have equal URLs."""

    prefer: Preferences
    media: Media
    payload: Payload | None
    range_start: int = 0
    range_end: int | None = None
    """`range_start` and `range_end` are the first and last row of the `Range` header. None is an open end."""

    @property
    def is_read(self) -> bool:
        return self.method in ("GET", "HEAD")

    @property
    def returning(self) -> str:
        return self.prefer["return"] or "minimal"


def parse_request(
    method: str,
    path: str,
    query_string: str,
    headers: Mapping[str, str],
    *,
    body: BodyBytes = b"",
    payload: Payload | None = None,
    schemas: tuple[str, ...] = ("public",),
    plans: bool = False,
) -> ParsedRequest:
    """`payload` is the parsed body, if it was already parsed to find the request in the cache of statements."""
    name, is_call = _parse_path(method, path)
    prefer = parse_prefer(headers.get("prefer", ""))
    if prefer.strict and prefer.unknown:
        raise UnknownPreferences(details=f"Invalid preferences: {', '.join(prefer.unknown)}")
    pairs = tuple(pair for pair in parse_qsl(query_string, keep_blank_values=True) if pair[0] != _API_KEY_PARAMETER)
    profile = headers.get("accept-profile" if method in ("GET", "HEAD") else "content-profile")
    range_start, range_end = _parse_range(headers.get("range", ""))
    return ParsedRequest(
        method=method,
        name=name,
        is_call=is_call,
        schema=choose_schema(profile, schemas),
        has_explicit_schema=profile is not None,
        query=parse_query(pairs, is_call=is_call and method != "POST"),
        canonical_url=f"/{quote(name)}?{urlencode(sorted(pairs))}".rstrip("?"),
        prefer=prefer,
        media=choose_media(headers.get("accept", ""), plans=plans),
        payload=payload or parse_payload(method, path, body, headers),
        range_start=range_start,
        range_end=range_end,
    )


def _parse_path(method: str, path: str) -> tuple[str, bool]:
    parts = path.strip("/").split("/")
    is_call = len(parts) == 2 and parts[0] == "rpc"
    if not is_call and len(parts) != 1:
        raise NoSuchPath
    if method not in METHODS:
        raise MethodNotSupported(method=method)
    if is_call and method not in CALL_METHODS:
        raise MethodNotForFunctions(method=method)
    return parts[-1], is_call


def choose_schema(profile: str | None, schemas: tuple[str, ...]) -> str:
    if profile is None:
        return schemas[0]
    if profile not in schemas:
        raise SchemaNotExposed(schema=profile, hint=f"Only the following schemas are exposed: {', '.join(schemas)}")
    return profile


def parse_payload(method: str, path: str, body: BodyBytes, headers: Mapping[str, str]) -> Payload | None:
    if method not in METHODS_WITH_BODY:
        return None
    _, is_call = _parse_path(method, path)
    return parse_body(
        body or (b"{}" if is_call else b""), headers.get("content-type", ""), needs_values=method == "PUT"
    )


def _parse_range(header: str) -> tuple[int, int | None]:
    """Ignores a malformed range, as HTTP requires. A range that ends before its start is an error."""
    match = _RANGE.fullmatch(header.removeprefix("items="))
    if match is None:
        return 0, None
    range_start, range_end = int(match[1]), int(match[2]) if match[2] else None
    if range_end is not None and range_end < range_start:
        raise RangeNotSatisfiable(
            details="The lower boundary must be lower than or equal to the upper boundary in the Range header."
        )
    return range_start, range_end
