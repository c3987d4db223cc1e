"""Creates the images of documents. Templates receive them as lists of byte values, because JSON has no bytes."""

import base64
import binascii
import io
from typing import Any

import segno
from PIL import Image

# A signature has at most 4,096 by 4,096 pixels. A photo that claims more would use too much memory.
_MAX_PIXELS = 4096 * 4096
_MAX_PHOTO_SIZE = (800, 800)


def signature_image(data_url: str) -> list[int] | None:
    """Encodes the signature again from its pixels, so that it contains nothing else. None if it is not a PNG."""
    image = _decode(data_url, ["PNG"])
    if image is None:
        return None
    png = io.BytesIO()
    image.convert("RGBA").save(png, "PNG", optimize=False)
    return list(png.getvalue())


def photo_image(data_url: str) -> list[int] | None:
    """Encodes a photo or drawn initials again, small enough to be printed. None if it is neither a JPEG nor a PNG."""
    image = _decode(data_url, ["PNG", "JPEG"])
    if image is None:
        return None
    image.thumbnail(_MAX_PHOTO_SIZE)
    # Drawings are transparent, and JPEG would make that black.
    page = Image.new("RGB", image.size, "white")
    pixels = image.convert("RGBA")
    page.paste(pixels, mask=pixels)
    jpeg = io.BytesIO()
    page.save(jpeg, "JPEG", quality=80)
    return list(jpeg.getvalue())


def _decode(data_url: str, formats: list[str]) -> Image.Image | None:
    try:
        # The database accepts data after the base64 padding and Python does not, so only the part before it is decoded.
        encoded = data_url.partition(",")[2].partition("=")[0]
        image = Image.open(io.BytesIO(base64.b64decode(encoded + "=" * (-len(encoded) % 4))), formats=formats)
        if image.width * image.height > _MAX_PIXELS:
            return None
        image.load()
    except (OSError, SyntaxError, ValueError, binascii.Error, Image.DecompressionBombError):
        return None
    return image


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
