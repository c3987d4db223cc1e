"""A seal has an external timestamp if an authority is configured, and never claims one otherwise."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio
from aiohttp import web
from asn1crypto import keys, tsp, x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509 import CertificateBuilder, ExtendedKeyUsage, Name, NameAttribute
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.sign.timestamps import DummyTimeStamper

from cairn.kit import SandboxFailed, now
from cairn.waivers import DocumentContext, DocumentSettings, known_certificates, load_seal, verify
from tests.waivers.documents.conftest import MakeRecord

TIMESTAMP = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


@pytest_asyncio.fixture
async def authority_url() -> AsyncIterator[str]:
    """Runs a timestamp authority that is reached over HTTP, like a real one."""
    stamper = DummyTimeStamper(*certificate_and_key(), fixed_dt=TIMESTAMP)

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


async def test_a_configured_authority_confirms_the_time(
    documents: DocumentContext, authority_url: str, make_record: MakeRecord
) -> None:
    seal = load_seal(documents.data_folder, DocumentSettings(timestamp_url=authority_url))

    document = await documents.get_or_create(make_record(), seal)

    verdict = await verify(document, known_certificates(documents.data_folder))
    assert verdict.is_unchanged
    assert verdict.timestamped_at == TIMESTAMP


async def test_nothing_is_sealed_if_the_authority_does_not_respond(
    documents: DocumentContext, make_record: MakeRecord
) -> None:
    seal = load_seal(documents.data_folder, DocumentSettings(timestamp_url="http://127.0.0.1:1/"))

    with pytest.raises(SandboxFailed, match="TimestampRequestError"):
        await documents.get_or_create(make_record(), seal)

    assert await documents.find(make_record().storage_path) is None
