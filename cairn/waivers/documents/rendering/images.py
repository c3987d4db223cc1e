"""Creates the images of documents. Typst receives them as lists of byte values, because JSON has no bytes."""

import base64
import io
from collections.abc import Callable
from typing import Any

import segno
from PIL import Image

# The database accepts no larger signature than this. A waiver can have many photos, so the limit for photos is lower.
_MAX_SIGNATURE_PIXELS = 4096 * 4096
_MAX_PHOTO_PIXELS = 2048 * 2048
_MAX_PHOTO_SIDE = 800
# A signature is printed in 78 x 26 mm, so this is about 400 dots per inch.
_MAX_SIGNATURE_SIZE = (1200, 400)
# A drawn signature takes a few kilobytes. A larger PNG, for example of noise, is replaced by a JPEG.
_MAX_SIGNATURE_BYTES = 500_000
# A photo of the signing page becomes at most 1.2 times as large when it is printed. Repeated noise, which is small as a
# PNG, would become hundreds of times as large, so it is printed with a lower quality.
_MAX_GROWTH = 2
_ALWAYS_ALLOWED_BYTES = 20_000
_QUALITY, _LOW_QUALITY = 80, 50
# The signing page sends at most 3.7 MB of pictures for one waiver.
_MAX_BYTES_OF_FORM = 4_000_000

NOT_SHOWN = "The stored picture cannot be shown; its fingerprint is part of the record."
NOT_PRINTED = (
    "This picture is not printed, because the pictures of this waiver are too large or cannot be printed. It is stored"
    " with the record."
)


class Pictures:
    """The pictures of a form. If together they take too much time, memory or storage, notes are printed instead."""

    def __init__(self, *, are_printed: bool) -> None:
        self._bytes_left = _MAX_BYTES_OF_FORM if are_printed else 0

    def photo(self, data_url: str) -> dict[str, Any]:
        return self._printed(photo_image, data_url)

    def signature(self, data_url: str) -> dict[str, Any]:
        return self._printed(signature_image, data_url)

    def _printed(self, encode: Callable[[str], list[int] | None], data_url: str) -> dict[str, Any]:
        """Once a picture was too large, the pictures after it are not even decoded."""
        image = encode(data_url) if self._bytes_left > 0 else []
        if image is None:
            return {"picture": None, "note": NOT_SHOWN}
        self._bytes_left -= len(image)
        if self._bytes_left <= 0:
            return {"picture": None, "note": NOT_PRINTED}
        return {"picture": image, "note": ""}


def signature_image(data_url: str) -> list[int] | None:
    """Encodes the signature again from its pixels, so that it contains nothing else. None if it is not a valid PNG."""
    try:
        original = _original(data_url)
        image = _decode(original, ["PNG"], _MAX_SIGNATURE_PIXELS)
        image.thumbnail(_MAX_SIGNATURE_SIZE)
        max_bytes = min(_max_printed_bytes(original), _MAX_SIGNATURE_BYTES)
        png = io.BytesIO()
        image.save(png, "PNG", optimize=False)
        return list(png.getvalue() if png.tell() <= max_bytes else _jpeg(image, max_bytes))
    # Pillow raises any kind of error for damaged pictures, such as IndexError for an empty color profile.
    except Exception:
        return None


def photo_image(data_url: str) -> list[int] | None:
    """Encodes a photo or drawn initials again, small enough to be printed. None if it is no valid JPEG or PNG."""
    try:
        original = _original(data_url)
        image = _decode(original, ["PNG", "JPEG"], _MAX_PHOTO_PIXELS, _MAX_PHOTO_SIDE)
        image.thumbnail((_MAX_PHOTO_SIDE, _MAX_PHOTO_SIDE))
        return list(_jpeg(image, _max_printed_bytes(original)))
    except Exception:
        return None


def _original(data_url: str) -> bytes:
    # The database accepts data after the base64 padding and Python does not, so only the part before it is decoded.
    encoded = data_url.partition(",")[2].partition("=")[0]
    return base64.b64decode(encoded + "=" * (-len(encoded) % 4))


def _max_printed_bytes(original: bytes) -> int:
    return max(_MAX_GROWTH * len(original), _ALWAYS_ALLOWED_BYTES)


def _decode(original: bytes, formats: list[str], max_pixels: int, max_side: int | None = None) -> Image.Image:
    image = Image.open(io.BytesIO(original), formats=formats)
    if image.width * image.height > max_pixels:
        raise ValueError("the picture has too many pixels")
    if max_side:
        # A JPEG can be decoded at a half or a quarter of its size. For a PNG this does nothing.
        scale = max_side / max(image.size)
        image.draft("RGB", (int(image.width * scale) or 1, int(image.height * scale) or 1))
    # Pillow cannot scale pictures of all modes, such as those with 16 bits of grey.
    return image.convert("RGBA")


def _jpeg(image: Image.Image, max_bytes: int) -> bytes:
    """Lowers the quality, and then halves the size, until the JPEG is small enough."""
    # Drawings are transparent, and JPEG would make that black.
    page = Image.new("RGB", image.size, "white")
    page.paste(image, mask=image)
    content = _encoded(page, _QUALITY)
    while len(content) > max_bytes:
        content = _encoded(page, _LOW_QUALITY)
        page.thumbnail((page.width // 2 or 1, page.height // 2 or 1))
    return content


def _encoded(page: Image.Image, quality: int) -> bytes:
    jpeg = io.BytesIO()
    page.save(jpeg, "JPEG", quality=quality)
    return jpeg.getvalue()


def qr_code_for_template(link: str) -> list[int]:
    return list(_qr_svg(link, border=0))


def qr_code_svg(link: str) -> bytes:
    """Returns a QR code for screens. It has a white border, because the page around it may be dark."""
    return _qr_svg(link, border=3, light="#fff", omitsize=True)


def _qr_svg(link: str, **options: Any) -> bytes:
    svg = io.BytesIO()
    # Every mask is readable, and comparing all eight of them takes five times as long as using one.
    segno.make_qr(link, error="m", mask=3).save(svg, kind="svg", **options)
    return svg.getvalue()
