"""Reads the body of an upload, which is raw bytes or a form with one file. It is streamed and can be read only once."""

import base64
import binascii
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request

from cairn.kit import TRUSTED_SENDER, parse_json
from cairn.limits import larger_network_of
from cairn.storage.errors import InvalidRequest, MetadataTooLarge
from cairn.storage.limits import check_header_value
from cairn.storage.model import DEFAULT_TYPE, NO_CACHE, ObjectProperties
from cairn.storage.multipart_form import MultipartForm

# The metadata does not count in the quota of an account, so it has a limit of its own.
_MAX_METADATA_BYTES = 10 * 1024
# Old clients send these when the caller set no value.
_UNSET_VALUES = frozenset({"", "undefined", "max-age=undefined"})


@dataclass(slots=True)
class UploadBody:
    """`fields` is complete only after `stream` has ended."""

    stream: AsyncIterator[bytes]
    content_type: str
    sender: str = TRUSTED_SENDER
    declared_size: int | None = None
    fields: dict[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def properties(self) -> ObjectProperties:
        """Call this only after the stream has ended, because form fields may follow the file."""
        return ObjectProperties(self.content_type, self._cache_control, self._user_metadata)

    @property
    def _cache_control(self) -> str:
        if "cacheControl" in self.fields:
            return cache_control_for(self.fields["cacheControl"])
        return check_header_value(_value_if_set(self.headers.get("cache-control")) or NO_CACHE)

    @property
    def _user_metadata(self) -> dict[str, Any] | None:
        text = self.fields.get("metadata") or self.fields.get("userMetadata")
        return parse_metadata(text) if text else parse_metadata_header(self.headers.get("x-metadata"))


async def read_upload_body(request: Request, stream: AsyncIterator[bytes]) -> UploadBody:
    """Reads a form up to the first byte of its file; the rest is streamed. `stream` is the body of the request."""
    content_type = request.headers.get("content-type", "")
    if not content_type.lower().startswith("multipart/form-data"):
        length = request.headers.get("content-length", "")
        return UploadBody(
            stream,
            _value_if_set(content_type) or DEFAULT_TYPE,
            sender_of(request),
            int(length) if length.isdecimal() else None,
            headers=request.headers,
        )
    form = MultipartForm(stream, content_type)
    file_type = await form.find_file()
    return UploadBody(
        form.file(),
        _value_if_set(file_type) or DEFAULT_TYPE,
        sender_of(request),
        fields=form.fields,
        headers=request.headers,
    )


def sender_of(request: Request) -> str:
    """Returns the network for which the bytes in memory count."""
    return larger_network_of(request.client and request.client.host)


def cache_control_for(seconds: str) -> str:
    check_header_value(seconds)
    return NO_CACHE if seconds in _UNSET_VALUES else f"max-age={seconds.removeprefix('max-age=')}"


def parse_metadata_header(encoded: str | None) -> dict[str, Any] | None:
    if not encoded:
        return None
    try:
        return parse_metadata(base64.b64decode(encoded, validate=True).decode())
    except (binascii.Error, UnicodeDecodeError) as error:
        raise InvalidRequest(reason="The metadata is not base64 of JSON") from error


def parse_metadata(text: str) -> dict[str, Any]:
    if len(text.encode()) > _MAX_METADATA_BYTES:
        raise MetadataTooLarge
    try:
        metadata = parse_json(text)
        encoded = json.dumps(metadata, allow_nan=False)
    except ValueError as error:
        raise InvalidRequest(reason="The metadata is not JSON") from error
    # Postgres cannot store NUL, neither in text nor in JSON.
    if not isinstance(metadata, dict) or "\\u0000" in encoded:
        raise InvalidRequest(reason="The metadata is not a JSON object that can be stored")
    return metadata


def _value_if_set(header: str | None) -> str | None:
    return None if header is None or header.strip() in _UNSET_VALUES else header.strip()
