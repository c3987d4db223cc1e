"""Parses the parameters of a function, and builds downloads."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.responses import Response

from cairn.functions.errors import ParametersInvalid
from cairn.messaging import Attachment

Parameters = TypeVar("Parameters", bound=BaseModel)
_PDF = b"%PDF-"


def parse_parameters(body: bytes, model: type[Parameters]) -> Parameters:
    try:
        return model.model_validate_json(body or b"{}")
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "body"
        raise ParametersInvalid(field=field, reason=first["msg"]) from error


def is_pdf(body: bytes) -> bool:
    """PDF readers accept the marker anywhere in the first kilobyte, and so do we."""
    return _PDF in body[:1024]


def is_file(body: bytes) -> bool:
    """Anything that is not JSON is meant to be a file."""
    return body != b"" and not body.lstrip().startswith(b"{")


def download(attachment: Attachment) -> Response:
    name = attachment.name.encode("ascii", "replace").decode().replace("?", "_")
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-store"}
    return Response(attachment.content, media_type=attachment.media_type, headers=headers)
