"""Prepares pages and files for sending: compresses them and adds an ETag."""

import asyncio
import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import field

import brotli
from starlette.requests import Request
from starlette.responses import Response

from cairn.kit import ByteRangeInvalid, frozen_dataclass, parse_byte_range
from cairn.pages.headers import file_headers

_COMPRESSIBLE = ("text/", "application/javascript", "application/json", "application/manifest", "image/svg")
_MIN_COMPRESSED_BYTES = 500
# Higher qualities take much longer. The build compresses assets with the highest one.
_BROTLI_QUALITY = 9
_GZIP_LEVEL = 6
# A page with a text of a company can be much longer than the others. It is compressed outside of the event loop, and
# with the fastest level, because anyone may request it again and again.
_MIN_LARGE_BYTES = 128 * 1024
_GZIP_LEVEL_OF_LARGE_PAGES = 1


@frozen_dataclass
class Page:
    """A page or file in memory. `encoded` contains the compressed bodies by content coding, the preferred one first."""

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
        if self.encoded or status != 200:
            return Response(self.body, status, dict(self.headers))
        return self._part(request)

    def _part(self, request: Request) -> Response:
        """Returns the requested part. Without parts, Safari plays no video, and other browsers cannot skip in one."""
        headers = {**self.headers, "Accept-Ranges": "bytes"}
        requested = request.headers.get("range")
        if requested is None or request.headers.get("if-range", self.headers.get("ETag")) != self.headers.get("ETag"):
            return Response(self.body, 200, headers)
        size = len(self.body)
        try:
            start, end = parse_byte_range(requested, size)
        except ByteRangeInvalid:
            return Response(status_code=416, headers={**headers, "Content-Range": f"bytes */{size}"})
        return Response(self.body[start:end], 206, {**headers, "Content-Range": f"bytes {start}-{end - 1}/{size}"})


def static_page(body: bytes, headers: Mapping[str, str], brotli_body: bytes | None = None) -> Page:
    """Prepares a page that is the same for every request. `brotli_body` is the body that the build has compressed."""
    all_headers = {**headers, "ETag": f'"{hashlib.sha256(body).hexdigest()[:24]}"', "Vary": "Accept-Encoding"}
    if len(body) <= _MIN_COMPRESSED_BYTES or not headers["Content-Type"].startswith(_COMPRESSIBLE):
        return Page(body, all_headers)
    return Page(
        body,
        all_headers,
        {"br": brotli_body or brotli.compress(body, quality=_BROTLI_QUALITY), "gzip": gzip.compress(body, _GZIP_LEVEL)},
    )


def image_page(body: bytes, media_type: str) -> Page:
    return static_page(body, file_headers(media_type, immutable=False))


async def dynamic_response(request: Request, html: str, headers: Mapping[str, str], status: int) -> Response:
    """Returns a page that is rendered for one request, compressed if the browser accepts it."""
    body = html.encode()
    encoded = {"gzip": await _compress(body)} if "gzip" in request.headers.get("accept-encoding", "") else {}
    return Page(body, {**headers, "Vary": "Accept-Encoding"}, encoded).response(request, status)


async def _compress(body: bytes) -> bytes:
    if len(body) < _MIN_LARGE_BYTES:
        return gzip.compress(body, _GZIP_LEVEL)
    return await asyncio.to_thread(gzip.compress, body, _GZIP_LEVEL_OF_LARGE_PAGES)


def _is_cached(request: Request, tag: str | None) -> bool:
    """Returns whether the browser has this version. A proxy may mark the tag as weak by the prefix `W/`."""
    tags = {part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")}
    return tag is not None and tag in tags
