"""A file ready to be sent: with an ETag, and compressed."""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import brotli
from starlette.requests import Request
from starlette.responses import Response

from cairn.pages.headers import file_headers

_COMPRESSIBLE = ("text/", "application/javascript", "application/json", "application/manifest", "image/svg")
_MIN_COMPRESSED_BYTES = 500
# The best quality that takes only milliseconds per page; assets were compressed with the highest one by the build.
_BROTLI_QUALITY = 9


@dataclass(frozen=True, slots=True)
class Page:
    """Kept in memory. `encoded` has the body by content coding, the preferred one first."""

    body: bytes
    headers: Mapping[str, str]
    encoded: Mapping[str, bytes] = field(default_factory=dict)

    def response(self, request: Request, status: int = 200) -> Response:
        if status == 200 and _is_cached(request, self.headers.get("ETag")):
            return Response(status_code=304, headers=dict(self.headers))
        accepted = request.headers.get("accept-encoding", "")
        for coding, body in self.encoded.items():
            if coding in accepted:
                return Response(body, status, {**self.headers, "Content-Encoding": coding})
        return Response(self.body, status, dict(self.headers))


def page_of(body: bytes, headers: Mapping[str, str], brotli_body: bytes | None = None) -> Page:
    """`brotli_body` is the body as compressed by the build, if it was."""
    tagged = {**headers, "ETag": f'"{hashlib.sha256(body).hexdigest()[:24]}"', "Vary": "Accept-Encoding"}
    if len(body) <= _MIN_COMPRESSED_BYTES or not headers["Content-Type"].startswith(_COMPRESSIBLE):
        return Page(body, tagged)
    return Page(
        body,
        tagged,
        {"br": brotli_body or brotli.compress(body, quality=_BROTLI_QUALITY), "gzip": gzip.compress(body, 6)},
    )


def picture(body: bytes, kind: str) -> Page:
    return page_of(body, file_headers(kind, immutable=False))


def document(html: str, headers: Mapping[str, str]) -> Page:
    """A page rendered for one request."""
    body = html.encode()
    return Page(body, {**headers, "Vary": "Accept-Encoding"}, {"gzip": gzip.compress(body, 6)})


def _is_cached(request: Request, tag: str | None) -> bool:
    """A proxy that compresses responses marks the tag as weak."""
    tags = {sent.strip().removeprefix("W/") for sent in request.headers.get("if-none-match", "").split(",")}
    return tag is not None and tag in tags
