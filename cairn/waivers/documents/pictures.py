"""Pictures, as the numbers the template takes them in."""

import base64
import binascii
import io
from typing import Any

import segno
from PIL import Image


def signature_picture(data_url: str) -> list[int] | None:
    """Drawn anew from its dots, so that nothing but a picture gets into the document; None when it is no picture."""
    try:
        # Python refuses text after the padding that the database let pass.
        encoded = data_url.partition(",")[2].partition("=")[0]
        image = Image.open(io.BytesIO(base64.b64decode(encoded + "=" * (-len(encoded) % 4))), formats=["PNG"])
        image.load()
    except (OSError, SyntaxError, ValueError, binascii.Error, Image.DecompressionBombError):
        return None
    drawn = io.BytesIO()
    image.convert("RGBA").save(drawn, "PNG", optimize=False)
    return list(drawn.getvalue())


def qr_code(link: str) -> list[int]:
    return list(_qr_svg(link, border=0))


def qr_picture(link: str) -> bytes:
    """For a screen: with its own white around it, because the page may be dark."""
    return _qr_svg(link, border=3, light="#fff", omitsize=True)


def _qr_svg(link: str, **look: Any) -> bytes:
    drawn = io.BytesIO()
    # Any mask can be read; weighing all eight of them takes five times as long as drawing one.
    segno.make_qr(link, error="m", mask=3).save(drawn, kind="svg", **look)
    return drawn.getvalue()
