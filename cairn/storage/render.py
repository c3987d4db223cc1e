"""`/render/image`: a picture in another size, quality or format, worked out anew for each request."""

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
from cairn.storage.read import attachment

_LARGEST_FILE = 25 * 1024 * 1024
_MOST_PIXELS = 50_000_000
_QUALITY = 80
# What the clients call it, and what they expect to read in the answer.
_RESIZING = {"cover": "fill", "contain": "fit", "fill": "force"}
# Two pictures at a time: each holds all its pixels.
_rendering = asyncio.Semaphore(2)


class Transformation(BaseModel, frozen=True):
    width: int | None = Field(None, ge=1, le=2500)
    height: int | None = Field(None, ge=1, le=2500)
    resize: Literal["cover", "contain", "fill"] = "cover"
    format: Literal["origin", "avif"] | None = None
    quality: int | None = Field(None, ge=20, le=100)

    def __str__(self) -> str:
        """As the header `X-Transformations` says it."""
        parts = [f"{name}:{value}" for name in ("height", "width") if (value := getattr(self, name))]
        if parts:
            parts.append(f"resizing_type:{_RESIZING[self.resize]}")
        if self.quality is not None:
            parts.append(f"quality:{self.quality}")
        if self.format == "avif":
            parts.append("format:avif")
        return ",".join(parts)


def transformation(asked: Mapping[str, Any]) -> Transformation:
    known = {name: value for name, value in asked.items() if name in Transformation.model_fields}
    try:
        return Transformation.model_validate(known)
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidRequest(reason=f"{'/'.join(map(str, first['loc']))}: {first['msg']}") from error


async def render(context: StorageContext, request: Request, found: StoredObject, asked: Transformation) -> Response:
    if found.size > _LARGEST_FILE:
        raise ImageNotReadable(reason="it is larger than 25 MB")
    body = await context.blob_store.read(found.version, 0, found.size, size=found.size, sealed=found.sealed)
    async with _rendering:
        original = b"".join([chunk async for chunk in body])
        accepts_webp = "image/webp" in request.headers.get("accept", "")
        picture, kind = await asyncio.to_thread(partial(_rendered, original, asked, accepts_webp=accepts_webp))
    headers = {"X-Transformations": str(asked), "Cache-Control": found.cache_control, "Vary": "Accept"}
    if (name := request.query_params.get("download")) is not None:
        headers["Content-Disposition"] = attachment(name)
    return Response(picture, media_type=kind, headers=headers)


def _rendered(original: bytes, asked: Transformation, *, accepts_webp: bool) -> tuple[bytes, str]:
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(original)) as image:
            warnings.simplefilter("error")
            if image.width * image.height > _MOST_PIXELS:
                raise ImageNotReadable(reason="it has more than 50 million pixels")
            form = _form(image, asked, accepts_webp=accepts_webp)
            upright = ImageOps.exif_transpose(image)
            return _saved(_resized(upright, asked), form, asked.quality or _QUALITY), Image.MIME[form]
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ImageNotReadable(reason="its content is not a picture we know") from error


def _form(image: Image.Image, asked: Transformation, *, accepts_webp: bool) -> str:
    if asked.format == "avif":
        return "AVIF"
    if asked.format is None and accepts_webp:
        return "WEBP"
    return image.format if image.format in ("JPEG", "PNG", "WEBP", "GIF", "AVIF") else "PNG"


def _resized(image: Image.Image, asked: Transformation) -> Image.Image:
    width, height = asked.width, asked.height
    if width is None and height is None:
        return image
    if width is None or height is None:
        scale = (width / image.width) if width else ((height or 1) / image.height)
        return image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))))
    match asked.resize:
        case "cover":
            return ImageOps.fit(image, (width, height))
        case "contain":
            return ImageOps.contain(image, (width, height))
        case "fill":
            return image.resize((width, height))


def _saved(image: Image.Image, form: str, quality: int) -> bytes:
    saved = io.BytesIO()
    if form == "JPEG" and image.mode not in ("RGB", "L"):
        image = image.convert("RGB")
    image.save(saved, form, **({"quality": quality} if form in ("JPEG", "WEBP", "AVIF") else {}))
    return saved.getvalue()


def signed_transformation(claims: Mapping[str, Any] | None) -> Transformation:
    """What was signed is what is shown: the address cannot be bent to another size."""
    if claims is None:
        raise InvalidSignature
    return transformation(claims)
