"""Reading what a function was asked."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.responses import Response

from cairn.functions.errors import ParametersInvalid
from cairn.messaging import Attachment

_Asked = TypeVar("_Asked", bound=BaseModel)
_PDF = b"%PDF-"


def asked(body: bytes, shape: type[_Asked]) -> _Asked:
    try:
        return shape.model_validate_json(body or b"{}")
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "body"
        raise ParametersInvalid(field=field, reason=first["msg"]) from error


def is_pdf(body: bytes) -> bool:
    """Readers look for the mark in the first thousand bytes, and so do we."""
    return _PDF in body[:1024]


def is_file(body: bytes) -> bool:
    """Not a question in JSON, so it is meant to be a document, whatever it is."""
    return body != b"" and not body.lstrip().startswith(b"{")


def download(attachment: Attachment) -> Response:
    name = attachment.name.encode("ascii", "replace").decode().replace("?", "_")
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-store"}
    return Response(attachment.content, media_type=attachment.media_type, headers=headers)
