"""A file ready to be sent, and how it is sent: fresh or not changed, plain or compressed."""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import brotli
from starlette.requests import Request
from starlette.responses import Response

from cairn.pages.headers import file_headers

_WORTH_COMPRESSING = ("text/", "application/javascript", "application/json", "application/manifest", "image/svg")
_SMALLEST = 500
# The best ratio that takes milliseconds a page; what never changes was compressed harder when it was built.
_QUALITY = 9


@dataclass(frozen=True, slots=True)
class Page:
    """Held whole, compressed once. `encoded` is by content coding, the most welcome first."""

    body: bytes
    headers: Mapping[str, str]
    encoded: Mapping[str, bytes] = field(default_factory=dict)

    def response(self, request: Request, status: int = 200) -> Response:
        if status == 200 and _knows(request, self.headers.get("ETag")):
            return Response(status_code=304, headers=dict(self.headers))
        accepted = request.headers.get("accept-encoding", "")
        for coding, body in self.encoded.items():
            if coding in accepted:
                return Response(body, status, {**self.headers, "Content-Encoding": coding})
        return Response(self.body, status, dict(self.headers))


def page_of(body: bytes, headers: Mapping[str, str], ready: bytes | None = None) -> Page:
    """`ready` is the same in brotli, when somebody took the time before."""
    marked = {**headers, "ETag": f'"{hashlib.sha256(body).hexdigest()[:24]}"', "Vary": "Accept-Encoding"}
    if len(body) <= _SMALLEST or not headers["Content-Type"].startswith(_WORTH_COMPRESSING):
        return Page(body, marked)
    return Page(body, marked, {"br": ready or brotli.compress(body, quality=_QUALITY), "gzip": gzip.compress(body, 6)})


def picture(body: bytes, kind: str) -> Page:
    return page_of(body, file_headers(kind, for_ever=False))


def document(html: str, headers: Mapping[str, str]) -> Page:
    """A page made for one request."""
    body = html.encode()
    return Page(body, {**headers, "Vary": "Accept-Encoding"}, {"gzip": gzip.compress(body, 6)})


def _knows(request: Request, tag: str | None) -> bool:
    """A proxy that compresses by itself marks the tag as weak."""
    held = {known.strip().removeprefix("W/") for known in request.headers.get("if-none-match", "").split(",")}
    return tag is not None and tag in held
