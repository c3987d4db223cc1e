"""A request as it came in, with everything that HTTP has to say about it said once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlencode

from cairn.rest.body import Content, Payload, read_body
from cairn.rest.errors import (
    MethodNotForFunctions,
    MethodNotSupported,
    NoSuchPath,
    PreferencesNotKnown,
    RangeNotSatisfiable,
    SchemaNotExposed,
)
from cairn.rest.grammar import Query, parse_query
from cairn.rest.media import Media, choose_media
from cairn.rest.prefer import Preferences, parse_prefer

METHODS = ("GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS")
CALL_METHODS = ("GET", "HEAD", "POST", "OPTIONS")
_KEY = "apikey"
"""May stand in the address, where it opened the gate before us. It filters nothing, and is told to nobody."""

_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{0,18})")


@dataclass(frozen=True, slots=True)
class Asked:
    method: str
    name: str
    """Of the table, or of the function."""

    calls: bool
    schema: str
    names_schema: bool
    query: Query
    address: str
    """The same question always has the same one, in whichever order it was put."""

    prefer: Preferences
    media: Media
    payload: Payload | None
    first: int = 0
    """Where the `Range` header begins, and `last` where it ends, if it does."""

    last: int | None = None

    @property
    def reads(self) -> bool:
        return self.method in ("GET", "HEAD")

    @property
    def returning(self) -> str:
        return self.prefer["return"] or "minimal"


def read_request(
    method: str,
    path: str,
    query_string: str,
    headers: Mapping[str, str],
    *,
    body: Content = b"",
    schemas: tuple[str, ...] = ("public",),
    plans: bool = False,
) -> Asked:
    name, calls = _target(method, path)
    prefer = parse_prefer(headers.get("prefer", ""))
    if prefer.strict and prefer.unknown:
        raise PreferencesNotKnown(details=f"Invalid preferences: {', '.join(prefer.unknown)}")
    pairs = tuple(pair for pair in parse_qsl(query_string, keep_blank_values=True) if pair[0] != _KEY)
    profile = headers.get("accept-profile" if method in ("GET", "HEAD") else "content-profile")
    first, last = _range(headers.get("range", ""))
    return Asked(
        method=method,
        name=name,
        calls=calls,
        schema=choose_schema(profile, schemas),
        names_schema=profile is not None,
        query=parse_query(pairs, calling=calls and method != "POST"),
        address=f"/{quote(name)}?{urlencode(sorted(pairs))}".rstrip("?"),
        prefer=prefer,
        media=choose_media(headers.get("accept", ""), plans=plans),
        payload=read_payload(method, path, body, headers),
        first=first,
        last=last,
    )


def _target(method: str, path: str) -> tuple[str, bool]:
    parts = path.strip("/").split("/")
    calls = len(parts) == 2 and parts[0] == "rpc"
    if not calls and len(parts) != 1:
        raise NoSuchPath
    if method not in METHODS:
        raise MethodNotSupported(method=method)
    if calls and method not in CALL_METHODS:
        raise MethodNotForFunctions(method=method)
    return parts[-1], calls


def choose_schema(profile: str | None, schemas: tuple[str, ...]) -> str:
    if profile is None:
        return schemas[0]
    if profile not in schemas:
        raise SchemaNotExposed(schema=profile, hint=f"Only the following schemas are exposed: {', '.join(schemas)}")
    return profile


def read_payload(method: str, path: str, body: Content, headers: Mapping[str, str]) -> Payload | None:
    if method not in ("POST", "PATCH", "PUT"):
        return None
    _, calls = _target(method, path)
    return read_body(body or (b"{}" if calls else b""), headers.get("content-type", ""), whole=method == "PUT")


def _range(header: str) -> tuple[int, int | None]:
    """Something that is no range at all is ignored, as HTTP asks; one that runs backwards is refused."""
    found = _RANGE.fullmatch(header.removeprefix("items="))
    if found is None:
        return 0, None
    first, last = int(found[1]), int(found[2]) if found[2] else None
    if last is not None and last < first:
        raise RangeNotSatisfiable(
            details="The lower boundary must be lower than or equal to the upper boundary in the Range header."
        )
    return first, last
