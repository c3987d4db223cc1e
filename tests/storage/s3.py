"""Runs a local S3 server, and a proxy in front of it that can be made to fail."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import httpx
import pytest

from cairn.kit import default_ssl_context
from cairn.storage import StorageSettings, new_sealing_key
from tests.serving import free_port

_RESPONSE_500 = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

_CHUNK_BYTES = 65536


@contextmanager
def s3_server() -> Iterator[int]:
    pytest.importorskip("moto", reason="moto is part of the locked test requirements")
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        # The transport retries until the server listens.
        with httpx.Client(transport=httpx.HTTPTransport(retries=8, verify=default_ssl_context()), timeout=30) as client:
            client.put(f"http://127.0.0.1:{port}/cairn").raise_for_status()
        yield port
    finally:
        process.terminate()
        process.wait(10)


def s3_settings(port: int) -> StorageSettings:
    s3 = {
        "bucket": "cairn",
        "prefix": "files",
        "endpoint": f"http://127.0.0.1:{port}",
        "access_key_id": "key",
        "secret_access_key": "secret",
        "timeout": 10,
    }
    return StorageSettings.model_validate({"sealing_key": new_sealing_key(), "s3": s3})


def keys_in(port: int) -> list[str]:
    listing = _get(port, "?list-type=2").text
    return [part.partition("</Key>")[0] for part in listing.split("<Key>")[1:]]


def read_object(port: int, key: str) -> bytes:
    return _get(port, f"/{key}").content


def count_unfinished_uploads(port: int) -> int:
    return _get(port, "?uploads").text.count("<UploadId>")


def _get(port: int, path: str) -> httpx.Response:
    return httpx.get(f"http://127.0.0.1:{port}/cairn{path}", verify=default_ssl_context())


class FlakyProxy:
    """Forwards requests from Cairn to S3. While the proxy is broken, it responds to every request with 500."""

    def __init__(self) -> None:
        self.port = 0
        self.is_broken = False
        self.break_after_bytes: int | None = None
        """After this many bytes the proxy breaks, even in the middle of a request."""

        self._connections: set[asyncio.StreamWriter] = set()

    def break_now(self) -> None:
        self.is_broken = True
        for writer in self._connections:
            writer.close()

    def repair(self) -> None:
        self.is_broken, self.break_after_bytes = False, None

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, s3_port: int) -> None:
        if self.is_broken:
            with suppress(OSError):
                await reader.read(_CHUNK_BYTES)
                writer.write(_RESPONSE_500)
                await writer.drain()
            writer.close()
            return
        s3_reader, s3_writer = await asyncio.open_connection("127.0.0.1", s3_port)
        self._connections |= {writer, s3_writer}
        with suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(self._forward(reader, s3_writer), self._forward(s3_reader, writer))
        self._connections -= {writer, s3_writer}

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while chunk := await reader.read(_CHUNK_BYTES):
            if self.break_after_bytes is not None:
                self.break_after_bytes -= len(chunk)
                if self.break_after_bytes < 0:
                    self.break_now()
            writer.write(chunk)
            await writer.drain()
        writer.close()


@asynccontextmanager
async def proxy_to(s3_port: int) -> AsyncIterator[FlakyProxy]:
    proxy = FlakyProxy()
    server = await asyncio.start_server(lambda reader, writer: proxy.handle(reader, writer, s3_port), "127.0.0.1", 0)
    try:
        proxy.port = server.sockets[0].getsockname()[1]
        yield proxy
    finally:
        proxy.break_now()
        server.close()
