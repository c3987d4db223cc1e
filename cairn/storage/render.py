"""Renders an image in another size, quality or format. Nothing is cached: each request renders again."""

import asyncio
import io
import warnings
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from PIL import Image, ImageOps, UnidentifiedImageError
from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from cairn.storage.context import StorageContext
from cairn.storage.errors import ImageNotReadable, InvalidRequest, InvalidSignature
from cairn.storage.model import StoredObject
from cairn.storage.read import content_disposition, read_whole_object

_MAX_FILE_BYTES = 25 * 1024 * 1024
_MAX_PIXELS = 50_000_000
_DEFAULT_QUALITY = 80
# Maps the `resize` parameter to the value that clients expect in the `X-Transformations` header.
_RESIZING_TYPES = {"cover": "fill", "contain": "fit", "fill": "force"}
# At most two images are rendered at the same time, because each is decoded into memory completely.
_render_slots = asyncio.Semaphore(2)


class Transformation(BaseModel, frozen=True):
    width: int | None = Field(None, ge=1, le=2500)
    height: int | None = Field(None, ge=1, le=2500)
    resize: Literal["cover", "contain", "fill"] = "cover"
    format: Literal["origin", "avif"] | None = None
    quality: int | None = Field(None, ge=20, le=100)

    def __str__(self) -> str:
        """Returns the value of the `X-Transformations` header."""
        parts = [f"{name}:{value}" for name in ("height", "width") if (value := getattr(self, name))]
        if parts:
            parts.append(f"resizing_type:{_RESIZING_TYPES[self.resize]}")
        if self.quality is not None:
            parts.append(f"quality:{self.quality}")
        if self.format == "avif":
            parts.append("format:avif")
        return ",".join(parts)


def parse_transformation(parameters: Mapping[str, Any]) -> Transformation:
    fields = {name: value for name, value in parameters.items() if name in Transformation.model_fields}
    try:
        return Transformation.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidRequest(reason=f"{'/'.join(map(str, first['loc']))}: {first['msg']}") from error


async def render(
    context: StorageContext, request: Request, stored_object: StoredObject, transformation: Transformation
) -> Response:
    if stored_object.size > _MAX_FILE_BYTES:
        raise ImageNotReadable(reason="it is larger than 25 MB")
    body = await read_whole_object(context, stored_object)
    async with _render_slots:
        original = b"".join([chunk async for chunk in body])
        accepts_webp = "image/webp" in request.headers.get("accept", "")
        transform = partial(_transform, original, transformation, accepts_webp=accepts_webp)
        rendered, media_type = await asyncio.to_thread(transform)
    headers = {"X-Transformations": str(transformation), "Cache-Control": stored_object.cache_control, "Vary": "Accept"}
    if (name := request.query_params.get("download")) is not None:
        headers["Content-Disposition"] = content_disposition(name)
    return Response(rendered, media_type=media_type, headers=headers)


def _transform(original: bytes, transformation: Transformation, *, accepts_webp: bool) -> tuple[bytes, str]:
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(original)) as image:
            warnings.simplefilter("error")
            if image.width * image.height > _MAX_PIXELS:
                raise ImageNotReadable(reason="it has more than 50 million pixels")
            output_format = _output_format(image, transformation, accepts_webp=accepts_webp)
            upright = ImageOps.exif_transpose(image)
            quality = transformation.quality or _DEFAULT_QUALITY
            return _encode(_resize(upright, transformation), output_format, quality), Image.MIME[output_format]
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ImageNotReadable(reason="its content is not a known image format") from error


def _output_format(image: Image.Image, transformation: Transformation, *, accepts_webp: bool) -> str:
    if transformation.format == "avif":
        return "AVIF"
    if transformation.format is None and accepts_webp:
        return "WEBP"
    return image.format if image.format in ("JPEG", "PNG", "WEBP", "GIF", "AVIF") else "PNG"


def _resize(image: Image.Image, transformation: Transformation) -> Image.Image:
    width, height = transformation.width, transformation.height
    if width is None and height is None:
        return image
    if width is None or height is None:
        scale = (width / image.width) if width else ((height or 1) / image.height)
        return image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))))
    match transformation.resize:
        case "cover":
            return ImageOps.fit(image, (width, height))
        case "contain":
            return ImageOps.contain(image, (width, height))
        case "fill":
            return image.resize((width, height))


def _encode(image: Image.Image, output_format: str, quality: int) -> bytes:
    buffer = io.BytesIO()
    if output_format == "JPEG" and image.mode not in ("RGB", "L"):
        image = image.convert("RGB")
    image.save(buffer, output_format, **({"quality": quality} if output_format in ("JPEG", "WEBP", "AVIF") else {}))
    return buffer.getvalue()


def parse_signed_transformation(claims: Mapping[str, Any] | None) -> Transformation:
    """Reads the transformation from the token, so that the holder of a signed URL cannot choose another size."""
    if claims is None:
        raise InvalidSignature
    return parse_transformation(claims)
