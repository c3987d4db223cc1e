"""A timestamp authority that is reached over HTTP, like a real one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from aiohttp import web
from asn1crypto import keys, tsp, x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509 import CertificateBuilder, ExtendedKeyUsage, Name, NameAttribute
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.sign.timestamps import DummyTimeStamper

from cairn.kit import now


@asynccontextmanager
async def running_timestamp_authority(fixed_time: datetime | None = None) -> AsyncIterator[str]:
    """Yields the URL of an authority that confirms every hash with `fixed_time`, or with the present time."""
    stamper = DummyTimeStamper(*certificate_and_key(), fixed_dt=fixed_time)

    async def stamp(request: web.Request) -> web.Response:
        assert request.content_type == "application/timestamp-query"
        reply = stamper.request_tsa_response(tsp.TimeStampReq.load(await request.read()))
        return web.Response(body=reply.dump(), content_type="application/timestamp-reply")

    app = web.Application()
    app.router.add_post("/", stamp)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    await runner.cleanup()


def certificate_and_key() -> tuple[x509.Certificate, keys.PrivateKeyInfo]:
    key = rsa.generate_private_key(65537, 2048)
    name = Name([NameAttribute(NameOID.COMMON_NAME, "Test timestamp authority")])
    builder = CertificateBuilder(name, name, key.public_key(), 7, now() - timedelta(days=9), now() + timedelta(days=9))
    purpose = ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
    certificate = builder.add_extension(purpose, critical=True).sign(key, hashes.SHA256())
    private = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    return x509.Certificate.load(certificate.public_bytes(Encoding.DER)), keys.PrivateKeyInfo.load(private)
