"""Writes a ZIP archive piece by piece, so that a large one never has to be in memory as a whole."""

import asyncio
import io
import zipfile
from collections.abc import AsyncIterator


class ZipStream:
    def __init__(self) -> None:
        self._written = _Written()
        self._archive = zipfile.ZipFile(self._written, "w", zipfile.ZIP_DEFLATED)

    def add(self, name: str, content: bytes) -> bytes:
        """Adds a file, and returns the bytes of the archive that follow those returned earlier."""
        self._archive.writestr(name, content)
        return self._written.take()

    async def add_parts(self, name: str, parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Adds a file whose content is too large for the memory, and yields the bytes of the archive.

        Parts are compressed in a thread, because compressing a large one takes a second.
        """
        with self._archive.open(name, "w") as file:
            async for part in parts:
                await asyncio.to_thread(file.write, part)
                yield self._written.take()
        yield self._written.take()

    def finish(self) -> bytes:
        """Returns the last bytes of the archive: its list of files."""
        self._archive.close()
        return self._written.take()


class _Written(io.RawIOBase):
    """Collects what the archive writes. It cannot seek, so `zipfile` never goes back to change earlier bytes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, part: bytes) -> int:  # type: ignore[override]  # zipfile writes only bytes
        self._parts.append(bytes(part))
        return len(part)

    def take(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)
