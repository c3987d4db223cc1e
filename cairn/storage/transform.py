"""Resizes and encodes one image. This runs in a process of its own, because strangers upload the images."""

import io
import warnings
from typing import Any, Literal, Self

from PIL import Image, ImageOps, UnidentifiedImageError
from pydantic import BaseModel, Field, model_validator
from pydantic_core import PydanticCustomError

from cairn.storage.crop import Gravity, crop_box
from cairn.storage.errors import ImageNotReadable, ImageTooLarge

_MAX_PIXELS = 50_000_000
_MAX_SIDE_PIXELS = 2500
"""No side of the result is longer, even if the request sets only the other side or none."""

# The formats that all browsers show. Pillow knows 40 others, and for one of them it starts Ghostscript.
_READ_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "AVIF", "BMP")
_DEFAULT_QUALITY = 80
_ENCODER_OPTIONS: dict[str, dict[str, Any]] = {
    "JPEG": {},
    "WEBP": {"method": 3},
    # The speed is a number from 0 to 10. The default of 6 takes seconds for one image.
    "AVIF": {"speed": 9, "max_threads": 1},
}
# Maps the `resize` parameter to the value that clients expect in the `X-Transformations` header.
_RESIZING_TYPES = {"cover": "fill", "contain": "fit", "fill": "force"}


class Transformation(BaseModel, frozen=True):
    width: int | None = Field(None, ge=1, le=_MAX_SIDE_PIXELS)
    height: int | None = Field(None, ge=1, le=_MAX_SIDE_PIXELS)
    resize: Literal["cover", "contain", "fill"] = "cover"
    format: Literal["origin", "avif", "webp"] | None = None
    quality: int | None = Field(None, ge=20, le=100)
    gravity: Gravity | None = None
    """The part of the image that `cover` keeps. Without it, this is the middle."""

    x_offset: float | None = Field(None, allow_inf_nan=False)
    y_offset: float | None = Field(None, allow_inf_nan=False)

    @model_validator(mode="after")
    def _focal_point_is_in_the_image(self) -> Self:
        if self.gravity == "fp" and not all(
            offset is not None and 0 <= offset <= 1 for offset in (self.x_offset, self.y_offset)
        ):
            raise PydanticCustomError("focal_point", "Focal point requires x and y coordinates within 0-1 range")
        return self

    def __str__(self) -> str:
        """Returns the value of the `X-Transformations` header."""
        parts = [f"{name}:{value}" for name in ("height", "width") if (value := getattr(self, name))]
        if parts:
            parts.append(f"resizing_type:{_RESIZING_TYPES[self.resize]}")
        if self.quality is not None:
            parts.append(f"quality:{self.quality}")
        if self.format in ("avif", "webp"):
            parts.append(f"format:{self.format}")
        if self.gravity is not None:
            parts.append(":".join(("gravity", self.gravity, *self._offset_texts())))
        return ",".join(parts)

    def _offset_texts(self) -> list[str]:
        if self.gravity == "sm" or (self.x_offset is None and self.y_offset is None):
            return []
        return [f"{offset or 0:.12g}" for offset in (self.x_offset, self.y_offset)]


def transform(original: bytes, transformation: Transformation, accepts_webp: bool) -> tuple[bytes, str]:
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(original), formats=_READ_FORMATS) as image:
            warnings.simplefilter("error")
            if image.width * image.height > _MAX_PIXELS:
                raise ImageTooLarge(reason="it has more than 50 million pixels")
            output_format = _output_format(image, transformation, accepts_webp=accepts_webp)
            upright = ImageOps.exif_transpose(image)
            quality = transformation.quality or _DEFAULT_QUALITY
            return _encode(_resize(upright, transformation), output_format, quality), Image.MIME[output_format]
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ImageNotReadable from error


def _output_format(image: Image.Image, transformation: Transformation, *, accepts_webp: bool) -> str:
    if transformation.format in ("avif", "webp"):
        return transformation.format.upper()
    if transformation.format is None and accepts_webp:
        return "WEBP"
    return image.format if image.format in ("JPEG", "PNG", "WEBP", "GIF", "AVIF") else "PNG"


def _resize(image: Image.Image, transformation: Transformation) -> Image.Image:
    width, height = transformation.width, transformation.height
    if width is None or height is None:
        return _scale(image, width, height)
    match transformation.resize:
        case "cover":
            offset = (transformation.x_offset or 0, transformation.y_offset or 0)
            box = crop_box(image.size, (width, height), transformation.gravity or "ce", offset)
            return image.resize((width, height), box=box)
        case "contain":
            return ImageOps.contain(image, (width, height))
        case "fill":
            return image.resize((width, height))


def _scale(image: Image.Image, width: int | None, height: int | None) -> Image.Image:
    """Resizes the image to this width or this height, and keeps the proportions."""
    scale = 1.0
    if width is not None:
        scale = width / image.width
    elif height is not None:
        scale = height / image.height
    scale = min(scale, _MAX_SIDE_PIXELS / image.width, _MAX_SIDE_PIXELS / image.height)
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    return image if size == image.size else image.resize(size)


def _encode(image: Image.Image, output_format: str, quality: int) -> bytes:
    buffer = io.BytesIO()
    if output_format == "JPEG" and image.mode not in ("RGB", "L"):
        image = image.convert("RGB")
    has_quality = output_format in _ENCODER_OPTIONS
    options = {"quality": quality, **_ENCODER_OPTIONS[output_format]} if has_quality else {}
    image.save(buffer, output_format, **options)
    return buffer.getvalue()
