"""Seals cast from a mould are as good as the first, which pyHanko built piece by piece."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from cairn.waivers import DocumentContext, DocumentSettings, Seal, known_certificates, load_seal, verify
from cairn.waivers.documents.rendering.document_data import document_data
from tests.waivers.documents.conftest import MakeRecord
from tests.waivers.documents.tools import pdfsig


@pytest.mark.usefixtures("pdf_tools")
async def test_every_document_gets_a_valid_seal_of_its_own(
    documents: DocumentContext, seal: Seal, record: MakeRecord, tmp_path: Path
) -> None:
    file = tmp_path / "waiver.pdf"
    for number in range(12):
        wanted = replace(record(), id=uuid4(), signer_email=f"guest{number}@example.com")

        document = await documents.get_or_create(wanted, seal)

        file.write_bytes(document)
        assert "Signature is Valid" in pdfsig(file)
        verdict = await verify(document, known_certificates(documents.data))
        assert (verdict.state, verdict.waiver_id) == ("unchanged", wanted.id)


async def test_the_seal_of_one_document_does_not_fit_another(
    documents: DocumentContext, seal: Seal, record: MakeRecord
) -> None:
    one, other = [await seal.apply(documents.renderer.render("waiver.typ", said)) for said in two_contents(record)]

    mine, theirs = place_of_the_seal(one), place_of_the_seal(other)
    swapped = one[: mine.start] + other[theirs] + one[mine.stop :]

    assert (await verify(one, known_certificates(documents.data))).is_unchanged
    assert len(swapped) == len(one)
    assert (await verify(swapped, known_certificates(documents.data))).state == "changed"


def place_of_the_seal(document: bytes) -> slice:
    begins = document.rindex(b"/Contents <")
    return slice(begins, document.index(b">", begins))


def two_contents(record: MakeRecord) -> list[dict[str, object]]:
    records = [record(signer_email=email) for email in ("a@b.example", "b@a.example")]
    return [document_data(one, site_url="https://waivers.example", is_timestamped=False) for one in records]


def test_two_processes_that_start_at_once_share_one_seal(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        seals = list(pool.map(lambda _: load_seal(tmp_path, DocumentSettings()), range(8)))

    assert len({seal.fingerprint for seal in seals}) == 1
    assert (tmp_path / "seal" / "own.pem").stat().st_mode & 0o077 == 0
