"""Large ZIP archives are written without stopping the server.

16B2 is a finding in docs/security.md.
"""

import io
import os
import threading
import zipfile
from collections.abc import AsyncIterator

import pytest

from cairn.kit import ZipStream, zip_stream


async def test_16b2_parts_are_compressed_outside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    content = os.urandom(100_000)
    bytes_of_threads = dict.fromkeys([True, False], 0)
    write = zip_stream._Written.write

    def record_thread(written: zip_stream._Written, part: bytes) -> int:
        bytes_of_threads[threading.current_thread() is threading.main_thread()] += len(part)
        return write(written, part)

    async def parts() -> AsyncIterator[bytes]:
        yield content

    monkeypatch.setattr(zip_stream._Written, "write", record_thread)
    archive = ZipStream()

    written = b"".join([part async for part in archive.add_parts("noise.bin", parts())]) + archive.finish()

    assert zipfile.ZipFile(io.BytesIO(written)).read("noise.bin") == content
    assert bytes_of_threads[True] < 50_000 < bytes_of_threads[False]
