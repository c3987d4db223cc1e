"""The headers and errors of TUS 1.0.

The errors of TUS are plain text, and their own status is the HTTP status. Most other storage errors are JSON with the
HTTP status 400 and their own status in the body.
"""

import base64
import binascii
import hashlib
from typing import Any
from uuid import UUID

from starlette.requests import Request

from cairn.kit import Problem

VERSION = "1.0.0"
EXTENSIONS = "creation,creation-with-upload,creation-defer-length,termination,checksum,expiration"
BODY_TYPE = "application/offset+octet-stream"
CHECKSUMS = ("sha1", "sha256", "md5")
# A number with this many digits always fits into 64 bits.
_MAX_DIGITS = 18


class TusProblem(Problem):
    status, code, message = 400, "invalid_request", "{reason}"


class UnsupportedVersion(TusProblem):
    status, code, message = 412, "tus_version", "Tus-Resumable Required"


class WrongContentType(TusProblem):
    status, code, message = 415, "content_type", f"The body must be {BODY_TYPE}"


class OffsetConflict(TusProblem):
    status, code, message = 409, "offset_conflict", "Upload-Offset conflict"


class UploadBusy(TusProblem):
    status, code, message = 423, "upload_busy", "Another request is finishing this upload. Please try again."


class UploadTooLarge(TusProblem):
    status, code, message = 413, "too_large", "Maximum size exceeded"


class UploadNotFound(TusProblem):
    status, code, message = 404, "no_such_upload", "There is no such upload"


class UploadGone(TusProblem):
    status, code, message = 410, "upload_gone", "This upload is {state}"


class NotYourUpload(TusProblem):
    status, code, message = 403, "not_yours", "This upload was started by someone else"


class ChecksumMismatch(TusProblem):
    status, code, message = 460, "checksum_mismatch", "Checksum Mismatch"


def check_version(request: Request) -> None:
    if request.headers.get("tus-resumable") != VERSION:
        raise UnsupportedVersion


def parse_number(request: Request, name: str) -> int | None:
    text = request.headers.get(name)
    if text is None:
        return None
    if not text.isdecimal() or len(text) > _MAX_DIGITS:
        raise TusProblem(reason=f"{name} is not a number")
    return int(text)


def parse_upload_metadata(request: Request) -> dict[str, str]:
    """Parses `key base64,key base64`. A key may have no value."""
    pairs = (pair.strip().partition(" ") for pair in request.headers.get("upload-metadata", "").split(","))
    try:
        return {key: base64.b64decode(value, validate=True).decode() for key, _, value in pairs if key}
    except (binascii.Error, UnicodeDecodeError) as error:
        raise TusProblem(reason="Upload-Metadata is not base64") from error


class Checksum:
    """Compares the received bytes with the `Upload-Checksum` header, if there is one."""

    def __init__(self, request: Request) -> None:
        algorithm, _, expected = request.headers.get("upload-checksum", "").partition(" ")
        if algorithm and algorithm not in CHECKSUMS:
            raise TusProblem(reason=f"Upload-Checksum supports {', '.join(CHECKSUMS)}")
        self.is_present = bool(algorithm)
        self._hash: Any = hashlib.new(algorithm, usedforsecurity=False) if algorithm else None
        try:
            self._expected = base64.b64decode(expected, validate=True)
        except binascii.Error as error:
            raise TusProblem(reason="Upload-Checksum is not base64") from error

    def update(self, chunk: bytes) -> None:
        if self.is_present:
            self._hash.update(chunk)

    def check(self) -> None:
        if self.is_present and self._hash.digest() != self._expected:
            raise ChecksumMismatch


def encode_upload_id(upload_id: UUID) -> str:
    return base64.urlsafe_b64encode(upload_id.bytes).decode().rstrip("=")


def decode_upload_id(name: str) -> UUID:
    try:
        return UUID(bytes=base64.urlsafe_b64decode(f"{name}=="))
    except (binascii.Error, ValueError) as error:
        raise UploadNotFound from error
