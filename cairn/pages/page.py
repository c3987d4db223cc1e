"""A page that is ready to be sent, with an ETag and a compressed body."""

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
# This is the best quality that takes only milliseconds per page. The build compresses assets with the highest quality.
_BROTLI_QUALITY = 9


@dataclass(frozen=True, slots=True)
class Page:
    """A page in memory. `encoded` maps each content coding to the compressed body, with the preferred coding first."""

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
    """`brotli_body` is the compressed body, if the build has created one."""
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
    """Returns a page that was rendered for one request, so it has no ETag."""
    body = html.encode()
    return Page(body, {**headers, "Vary": "Accept-Encoding"}, {"gzip": gzip.compress(body, 6)})


def _is_cached(request: Request, tag: str | None) -> bool:
    """Compares the tags without `W/`, which a proxy adds when it compresses a response."""
    tags = {sent.strip().removeprefix("W/") for sent in request.headers.get("if-none-match", "").split(",")}
    return tag is not None and tag in tags
