"""Makes large pictures of signatures."""

import os
import struct
import zlib
from base64 import b64encode

from tests.factories import png_chunk


def picture(characters: int) -> str:
    """Returns a data URL of about this many characters, with a PNG that cannot be compressed."""
    header = struct.pack(">IIBBBBB", 600, 200, 8, 2, 0, 0, 0)
    pixels = zlib.compress(os.urandom(characters * 3 // 4), 0)
    chunks = png_chunk(b"IHDR", header) + png_chunk(b"IDAT", pixels) + png_chunk(b"IEND", b"")
    return "data:image/png;base64," + b64encode(b"\x89PNG\r\n\x1a\n" + chunks).decode()
