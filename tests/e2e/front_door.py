"""What stands before the product in production: a door in the clear, and one that ends TLS."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@asynccontextmanager
async def front_door(port: int, behind: str, certificate: Path | None = None) -> AsyncIterator[None]:
    """Listens at the port and passes on, saying how whoever came has come. Only with a certificate is that https."""
    way_on = ("127.0.0.1", int(behind.rpartition(":")[2]))
    told = f"X-Forwarded-Proto: {'https' if certificate else 'http'}\r\nConnection: close\r\n".encode()

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request_line = await reader.readline()
            if not request_line:
                return
            inside, to_inside = await asyncio.open_connection(*way_on)
            # One request a connection, so that each is told how it came.
            to_inside.write(request_line + told)
            await asyncio.gather(pour(reader, to_inside), pour(inside, writer))
        except OSError:
            pass
        finally:
            writer.close()

    tls = None
    if certificate:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate)
    server = await asyncio.start_server(pass_on, "127.0.0.1", port, ssl=tls)
    try:
        yield
    finally:
        server.close()


async def pour(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    try:
        while some := await source.read(65_536):
            sink.write(some)
            await sink.drain()
    finally:
        sink.close()


def own_certificate(folder: Path) -> Path:
    """For localhost, signed by nobody but itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = folder / "localhost.pem"
    file.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return file
