"""Runs a reverse proxy in front of the product, with or without TLS, as in production."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path


@asynccontextmanager
async def reverse_proxy(port: int, upstream_url: str, certificate: Path | None = None) -> AsyncIterator[None]:
    """Forwards requests with `X-Forwarded-Proto`, which is https if there is a certificate."""
    upstream = ("127.0.0.1", int(upstream_url.rpartition(":")[2]))
    headers = f"X-Forwarded-Proto: {'https' if certificate else 'http'}\r\nConnection: close\r\n".encode()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request_line = await reader.readline()
            if not request_line:
                return
            upstream_reader, upstream_writer = await asyncio.open_connection(*upstream)
            # The added `Connection: close` allows one request per connection, so every request gets the headers.
            upstream_writer.write(request_line + headers)
            await asyncio.gather(copy(reader, upstream_writer), copy(upstream_reader, writer))
        except OSError:
            pass
        finally:
            writer.close()

    tls = None
    if certificate:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate)
    server = await asyncio.start_server(forward, "127.0.0.1", port, ssl=tls)
    try:
        yield
    finally:
        server.close()


async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(65_536):
            target.write(data)
            await target.drain()
    finally:
        target.close()
