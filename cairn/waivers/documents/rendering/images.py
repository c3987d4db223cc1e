"""Creates the images of documents. Templates receive them as lists of byte values, because JSON has no bytes."""

import base64
import binascii
import io
from typing import Any

import segno
from PIL import Image


def signature_image(data_url: str) -> list[int] | None:
    """Encodes the signature again from its pixels, so that it contains nothing else. None if it is not a PNG."""
    try:
        # The database accepts data after the base64 padding and Python does not, so only the part before it is decoded.
        encoded = data_url.partition(",")[2].partition("=")[0]
        image = Image.open(io.BytesIO(base64.b64decode(encoded + "=" * (-len(encoded) % 4))), formats=["PNG"])
        image.load()
    except (OSError, SyntaxError, ValueError, binascii.Error, Image.DecompressionBombError):
        return None
    png = io.BytesIO()
    image.convert("RGBA").save(png, "PNG", optimize=False)
    return list(png.getvalue())


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
