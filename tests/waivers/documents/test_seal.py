"""Seals made from a signature template are as valid as the first one, which pyHanko built."""

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from cairn.waivers import DocumentContext, Seal, known_certificates, load_seal, verify
from cairn.waivers.documents.rendering import Renderer, document_data
from tests.seals import document_settings
from tests.waivers.documents.conftest import MakeRecord
from tests.waivers.documents.tools import pdfsig


@pytest.mark.usefixtures("pdf_tools")
async def test_every_document_gets_its_own_valid_seal(
    documents: DocumentContext, seal: Seal, make_record: MakeRecord, tmp_path: Path
) -> None:
    file = tmp_path / "waiver.pdf"
    for number in range(12):
        record = replace(make_record(), id=uuid4(), signer_email=f"guest{number}@example.com")

        document = await documents.get_or_create(record, seal)

        file.write_bytes(document)
        assert "Signature is Valid" in pdfsig(file)
        verdict = await verify(document, known_certificates(documents.data_folder))
        assert verdict.state == "unchanged"
        assert verdict.record is not None
        assert verdict.record.waiver_id == record.id


async def test_the_seal_of_one_document_does_not_fit_another(
    documents: DocumentContext, seal: Seal, make_record: MakeRecord
) -> None:
    first, second = [
        await seal.apply(Renderer().render("waiver.typ", data)) for data in data_of_two_documents(make_record)
    ]

    first_seal, second_seal = seal_position(first), seal_position(second)
    swapped = first[: first_seal.start] + second[second_seal] + first[first_seal.stop :]

    assert (await verify(first, known_certificates(documents.data_folder))).is_unchanged
    assert len(swapped) == len(first)
    assert (await verify(swapped, known_certificates(documents.data_folder))).state == "changed"


def seal_position(document: bytes) -> slice:
    start = document.rindex(b"/Contents <")
    return slice(start, document.index(b">", start))


def data_of_two_documents(make_record: MakeRecord) -> list[dict[str, object]]:
    records = [make_record(signer_email=email) for email in ("a@b.example", "b@a.example")]
    return [document_data(record, site_url="https://waivers.example", is_timestamped=False) for record in records]


@pytest.mark.parametrize(
    "junk", [b"", b"not a certificate", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
)
async def test_junk_beside_the_certificates_does_not_break_verification(
    documents: DocumentContext, seal: Seal, make_record: MakeRecord, caplog: pytest.LogCaptureFixture, junk: bytes
) -> None:
    """Low finding in docs/security.md: one junk file in the folder must not make every verification fail."""
    document = await documents.get_or_create(make_record(), seal)
    folder = documents.data_folder / "seal"
    (folder / "0-junk.crt").write_bytes(junk)
    (folder / "folder.crt").mkdir()
    (folder / "lost.crt").symlink_to(folder / "nowhere")

    verdict = await verify(document, known_certificates(documents.data_folder))

    assert verdict.state == "unchanged"
    assert {name for name in ("0-junk.crt", "folder.crt", "lost.crt") if name in caplog.text} == {
        "0-junk.crt",
        "folder.crt",
        "lost.crt",
    }


def test_a_damaged_certificate_of_the_current_seal_is_written_again(tmp_path: Path) -> None:
    settings = document_settings()
    load_seal(tmp_path, settings)
    [file] = (tmp_path / "seal").glob("*.crt")
    certificate = file.read_bytes()
    file.write_bytes(certificate[:100])

    load_seal(tmp_path, settings)

    assert file.read_bytes() == certificate
    assert len(known_certificates(tmp_path)) == 1
