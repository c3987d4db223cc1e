"""Verification accepts the sealed, unchanged document and no other file."""

import io
import random
from pathlib import Path

import pikepdf
import pytest
from cryptography.x509 import Certificate
from pydantic import SecretStr

from cairn.kit import now
from cairn.waivers import DocumentContext, Seal, known_certificates, load_seal, verify
from cairn.waivers.documents.errors import SealUnusable
from cairn.waivers.documents.record_reference import RecordReference
from cairn.waivers.documents.rendering import Renderer
from cairn.waivers.documents.rendering.waiver_text import heading_data
from cairn.waivers.documents.seal_keys import from_pem, new_seal_key
from tests.seals import document_settings, operator_pkcs12
from tests.waivers.documents.conftest import MakeRecord
from tests.waivers.documents.tools import pdfsig

FLIPPED_BITS = 1000


@pytest.fixture
async def document(documents: DocumentContext, seal: Seal, make_record: MakeRecord) -> bytes:
    return await documents.get_or_create(make_record(), seal)


@pytest.fixture
def certificates(documents: DocumentContext, seal: Seal) -> list[Certificate]:
    assert seal.certificate in known_certificates(documents.data_folder)
    return list(known_certificates(documents.data_folder))


async def test_an_unchanged_document_names_its_record(
    document: bytes, certificates: list[Certificate], make_record: MakeRecord
) -> None:
    verdict = await verify(document, certificates)

    assert verdict.is_unchanged
    assert verdict.record == RecordReference(make_record().id, make_record().record_sha256)
    assert verdict.sealed_at is not None
    assert abs((verdict.sealed_at - now()).total_seconds()) < 30
    assert verdict.timestamp is None


@pytest.mark.slow
async def test_every_flipped_bit_is_detected(document: bytes, certificates: list[Certificate]) -> None:
    """This includes the bytes that hold the seal itself, which no signature covers."""
    generator = random.Random(20261115)  # noqa: S311 - positions to flip, not secrets
    for _ in range(FLIPPED_BITS):
        position, bit = generator.randrange(len(document)), generator.randrange(8)
        changed = document[:position] + bytes([document[position] ^ 1 << bit]) + document[position + 1 :]

        assert (await verify(changed, certificates)).state != "unchanged", f"bit {bit} of byte {position}"


@pytest.mark.usefixtures("pdf_tools")
async def test_pdfsig_detects_the_same_change(document: bytes, certificates: list[Certificate], tmp_path: Path) -> None:
    unchanged_file, changed_file = tmp_path / "unchanged.pdf", tmp_path / "changed.pdf"
    position = len(document) // 3
    changed = document[:position] + bytes([document[position] ^ 1]) + document[position + 1 :]
    unchanged_file.write_bytes(document)
    changed_file.write_bytes(changed)

    assert "Signature is Valid" in pdfsig(unchanged_file)
    assert "Signature is Valid" not in pdfsig(changed_file)
    assert not (await verify(changed, certificates)).is_unchanged


async def test_appended_bytes_are_detected(document: bytes, certificates: list[Certificate]) -> None:
    assert (await verify(document + b"\n% a small remark\n", certificates)).state == "changed"


async def test_a_removed_page_is_detected(document: bytes, certificates: list[Certificate]) -> None:
    saved = io.BytesIO()
    with pikepdf.open(io.BytesIO(document)) as opened:
        del opened.pages[0]
        opened.save(saved)

    assert not (await verify(saved.getvalue(), certificates)).is_unchanged


async def test_a_document_without_our_seal_is_rejected(document: bytes, certificates: list[Certificate]) -> None:
    foreign_seal = Seal(lambda: from_pem(new_seal_key().encode()))
    unsealed = Renderer().render("form.typ", EMPTY_FORM)

    assert (await verify(unsealed, certificates)).state == "unsealed"
    assert (await verify(await foreign_seal.apply(unsealed), certificates)).state == "foreign"
    for nonsense in (b"", b"%PDF-1.7", document[: len(document) // 2], b"\x00" * 5000):
        assert (await verify(nonsense, certificates)).state == "unreadable"


async def test_documents_sealed_with_an_older_key_still_verify(
    document: bytes, documents: DocumentContext, certificates: list[Certificate]
) -> None:
    file = documents.data_folder / "operator.p12"
    file.write_bytes(operator_pkcs12(b"secret"))

    newer_seal = load_seal(
        documents.data_folder, document_settings(seal_pkcs12=file, seal_password=SecretStr("secret"))
    )
    newer_document = await newer_seal.apply(Renderer().render("form.typ", EMPTY_FORM))

    all_certificates = known_certificates(documents.data_folder)
    assert len(all_certificates) == len(certificates) + 1
    assert (await verify(document, all_certificates)).is_unchanged
    assert (await verify(newer_document, all_certificates)).is_unchanged
    with pytest.raises(SealUnusable, match="cannot be opened"):
        load_seal(documents.data_folder, document_settings(seal_pkcs12=file, seal_password=SecretStr("wrong")))


EMPTY_FORM = {
    "title": "Form", "author": "Rio", "keywords": [], "footer": "", "cjk": [],
    **heading_data("Form", "Rio"), "blocks": [], "fields": [], "link": "https://waivers.example",
    "qr": list(b'<svg xmlns="http://www.w3.org/2000/svg"/>'),
}  # fmt: skip
