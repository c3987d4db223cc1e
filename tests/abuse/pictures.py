import os
import struct
import zlib
from base64 import b64encode


def picture(size: int) -> str:
    """A PNG of about this many characters, which cannot be compressed."""
    chunks = (
        b"IHDR" + struct.pack(">IIBBBBB", 600, 200, 8, 2, 0, 0, 0),
        b"IDAT" + zlib.compress(os.urandom(size * 3 // 4), 0),
        b"IEND",
    )
    body = b"".join(
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) for chunk in chunks
    )
    return "data:image/png;base64," + b64encode(b"\x89PNG\r\n\x1a\n" + body).decode()
