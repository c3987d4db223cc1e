"""Documents at rest: once, encrypted, each in its own place."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cairn.waivers import DocumentSettings, load_seal, open_desk
from cairn.waivers.documents.errors import DocumentDamaged
from cairn.waivers.documents.shelf import FolderShelf


@pytest.fixture
def shelf(tmp_path: Path) -> FolderShelf:
    return FolderShelf(tmp_path, b"k" * 32)


def test_what_lies_on_the_shelf_cannot_be_read_without_the_key(shelf: FolderShelf, tmp_path: Path) -> None:
    shelf.put("rio/a.pdf", b"%PDF-1.7 Gil Okafor")

    stored = (tmp_path / "rio" / "a.pdf").read_bytes()
    assert b"PDF" not in stored
    assert b"Gil" not in stored
    assert (tmp_path / "rio" / "a.pdf").stat().st_mode & 0o077 == 0
    assert shelf.get("rio/a.pdf") == b"%PDF-1.7 Gil Okafor"
    assert shelf.get("rio/b.pdf") is None


def test_the_first_document_stays_however_many_come_after(shelf: FolderShelf, tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        kept = set(pool.map(lambda number: shelf.put("rio/a.pdf", b"%d" % number), range(32)))

    assert len(kept) == 1
    assert kept == {shelf.get("rio/a.pdf")}
    assert [file.name for file in (tmp_path / "rio").iterdir()] == ["a.pdf"], "no draft is left behind"


def test_documents_cannot_change_places(shelf: FolderShelf, tmp_path: Path) -> None:
    shelf.put("rio/a.pdf", b"one")
    shelf.put("rio/b.pdf", b"two")

    (tmp_path / "rio" / "a.pdf").replace(tmp_path / "rio" / "b.pdf")

    with pytest.raises(DocumentDamaged, match="rio/b.pdf"):
        shelf.get("rio/b.pdf")


async def test_a_document_with_another_fingerprint_is_not_handed_out(tmp_path: Path) -> None:
    desk = open_desk(tmp_path, "http://cairn")
    desk.shelf.put("rio/a.pdf", b"one")

    with pytest.raises(DocumentDamaged, match="fingerprint"):
        await desk.filed("rio/a.pdf", "ab" * 32)


def test_two_processes_that_start_at_once_share_one_seal(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        seals = list(pool.map(lambda _: load_seal(tmp_path, DocumentSettings()), range(8)))

    assert len({seal.fingerprint for seal in seals}) == 1
    assert (tmp_path / "seal" / "own.pem").stat().st_mode & 0o077 == 0
