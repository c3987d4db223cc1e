"""Creates the images of documents. Typst receives them as lists of byte values, because JSON has no bytes."""

import base64
import io
from typing import Any

import segno
from PIL import Image

from cairn.kit import frozen_dataclass

# The database accepts no larger signature than this. A waiver can have many photos, so the limit for photos is lower.
_MAX_SIGNATURE_PIXELS = 4096 * 4096
_MAX_PHOTO_PIXELS = 2048 * 2048
_MAX_PHOTO_SIDE = 800
# A signature is printed in 78 x 26 mm, so this is about 400 dots per inch.
_MAX_SIGNATURE_SIZE = (1200, 400)
# A drawn signature takes a few kilobytes. A larger PNG, for example of noise, is replaced by a JPEG.
_MAX_SIGNATURE_BYTES = 500_000

NOT_SHOWN = "The stored picture cannot be shown; its fingerprint is part of the record."
NOT_PRINTED = (
    "This picture is not printed, because the pictures of this waiver are too large or cannot be printed. It is stored"
    " with the record."
)


@frozen_dataclass
class Pictures:
    """The pictures of a form. If together they take too much time or memory, notes are printed instead."""

    are_printed: bool

    def photo(self, data_url: str) -> dict[str, Any]:
        return _with_note(photo_image(data_url)) if self.are_printed else {"picture": None, "note": NOT_PRINTED}

    def signature(self, data_url: str) -> dict[str, Any]:
        return _with_note(signature_image(data_url)) if self.are_printed else {"picture": None, "note": NOT_PRINTED}


def _with_note(image: list[int] | None) -> dict[str, Any]:
    return {"picture": image, "note": NOT_SHOWN if image is None else ""}


def signature_image(data_url: str) -> list[int] | None:
    """Encodes the signature again from its pixels, so that it contains nothing else. None if it is not a valid PNG."""
    try:
        image = _decode(data_url, ["PNG"], _MAX_SIGNATURE_PIXELS)
        image.thumbnail(_MAX_SIGNATURE_SIZE)
        png = io.BytesIO()
        image.save(png, "PNG", optimize=False)
        return list(png.getvalue() if png.tell() <= _MAX_SIGNATURE_BYTES else _jpeg(image))
    # Pillow raises any kind of error for damaged pictures, such as IndexError for an empty color profile.
    except Exception:
        return None


def photo_image(data_url: str) -> list[int] | None:
    """Encodes a photo or drawn initials again, small enough to be printed. None if it is no valid JPEG or PNG."""
    try:
        image = _decode(data_url, ["PNG", "JPEG"], _MAX_PHOTO_PIXELS, _MAX_PHOTO_SIDE)
        image.thumbnail((_MAX_PHOTO_SIDE, _MAX_PHOTO_SIDE))
        return list(_jpeg(image))
    except Exception:
        return None


def _decode(data_url: str, formats: list[str], max_pixels: int, max_side: int | None = None) -> Image.Image:
    # The database accepts data after the base64 padding and Python does not, so only the part before it is decoded.
    encoded = data_url.partition(",")[2].partition("=")[0]
    image = Image.open(io.BytesIO(base64.b64decode(encoded + "=" * (-len(encoded) % 4))), formats=formats)
    if image.width * image.height > max_pixels:
        raise ValueError("the picture has too many pixels")
    if max_side:
        # A JPEG can be decoded at a half or a quarter of its size. For a PNG this does nothing.
        scale = max_side / max(image.size)
        image.draft("RGB", (int(image.width * scale) or 1, int(image.height * scale) or 1))
    # Pillow cannot scale pictures of all modes, such as those with 16 bits of grey.
    return image.convert("RGBA")


def _jpeg(image: Image.Image) -> bytes:
    # Drawings are transparent, and JPEG would make that black.
    page = Image.new("RGB", image.size, "white")
    page.paste(image, mask=image)
    jpeg = io.BytesIO()
    page.save(jpeg, "JPEG", quality=80)
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
