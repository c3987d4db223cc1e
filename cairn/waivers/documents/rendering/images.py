"""Creates the images of documents. Templates receive them as lists of byte values, because JSON has no bytes."""

import base64
import io
from typing import Any

import segno
from PIL import Image

# The database limits the size of a signature to the first of these. A waiver can have many photos, so theirs is lower.
_MAX_SIGNATURE_PIXELS = 4096 * 4096
_MAX_PHOTO_PIXELS = 2048 * 2048
_MAX_PHOTO_SIZE = (800, 800)


def signature_image(data_url: str) -> list[int] | None:
    """Encodes the signature again from its pixels, so that it contains nothing else. None if it is not a PNG."""
    image = _decode(data_url, ["PNG"], _MAX_SIGNATURE_PIXELS)
    if image is None:
        return None
    png = io.BytesIO()
    image.convert("RGBA").save(png, "PNG", optimize=False)
    return list(png.getvalue())


def photo_image(data_url: str) -> list[int] | None:
    """Encodes a photo or drawn initials again, small enough to be printed. None if it is neither a JPEG nor a PNG."""
    image = _decode(data_url, ["PNG", "JPEG"], _MAX_PHOTO_PIXELS)
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


def _decode(data_url: str, formats: list[str], max_pixels: int) -> Image.Image | None:
    try:
        # The database accepts data after the base64 padding and Python does not, so only the part before it is decoded.
        encoded = data_url.partition(",")[2].partition("=")[0]
        image = Image.open(io.BytesIO(base64.b64decode(encoded + "=" * (-len(encoded) % 4))), formats=formats)
        if image.width * image.height > max_pixels:
            return None
        image.load()
    # Pillow raises any kind of error for damaged pictures, such as IndexError for an empty color profile.
    except Exception:
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
