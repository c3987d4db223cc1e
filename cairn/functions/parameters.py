"""Parses the parameters of a function, and builds downloads."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.responses import Response

from cairn.functions.errors import CharacterUnusable, ParametersInvalid, ParametersTooLarge
from cairn.kit import first_wrong_field
from cairn.messaging import Attachment

Parameters = TypeVar("Parameters", bound=BaseModel)
_PDF_MARKER = b"%PDF-"
_MAX_JSON_BYTES = 256_000


def parse_json(body: bytes, model: type[Parameters]) -> Parameters:
    """Raises ParametersTooLarge for a body that can only be a file, because parsing it would delay other requests."""
    if len(body) > _MAX_JSON_BYTES:
        raise ParametersTooLarge
    return model.model_validate_json(body)


def parse_parameters(body: bytes, model: type[Parameters]) -> Parameters:
    try:
        parameters = parse_json(body or b"{}", model)
    except ValidationError as error:
        wrong = first_wrong_field(error)
        raise ParametersInvalid(field=wrong.name() or "body", reason=wrong.reason) from error
    check_characters(parameters)
    return parameters


def check_characters(parameters: BaseModel) -> None:
    """Refuses NUL, which PostgreSQL cannot store. Other characters are cleaned in SQL."""
    for field, value in parameters.model_dump().items():
        if isinstance(value, str) and "\x00" in value:
            raise CharacterUnusable(field=field)


def is_pdf(body: bytes) -> bool:
    """Looks for the marker in the first kilobyte, as PDF readers do."""
    return _PDF_MARKER in body[:1024]


def is_file(body: bytes) -> bool:
    """Treats every body that is not a JSON object as a file."""
    return body != b"" and not body.lstrip().startswith(b"{")


def download(attachment: Attachment) -> Response:
    name = attachment.name.encode("ascii", "replace").decode().replace("?", "_")
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-store"}
    return Response(attachment.content, media_type=attachment.media_type, headers=headers)
