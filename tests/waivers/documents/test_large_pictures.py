"""A waiver gets its sealed document even if its pictures are too large.

14A2, 16B3 and 18B2 are findings in docs/security.md.
"""

import base64
import io
import json
import os
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pikepdf
import pytest
from PIL import Image

from cairn.db import Connection, Database
from cairn.kit import PoolSize, SandboxLimits, SandboxPool
from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents import prepare_document
from cairn.waivers.documents.rendering.images import NOT_PRINTED, NOT_SHOWN, Pictures, photo_image, signature_image
from tests.factories import png, png_chunk, signature_data_url
from tests.independent_verifier import findings
from tests.people import Person
from tests.waivers.documents.conftest import MakeRecord
from tests.waivers.documents.tools import pdfsig
from tests.waivers.forms.packs import document_text, pack_of
from tests.waivers.forms.sample_forms import GUARDIAN, minor, open_session, sign_form

pytestmark = pytest.mark.usefixtures("pdf_tools")

PHOTO_FORM: dict[str, Any] = {
    "covers": {"minors": {"most": 1, "own_signature_from_age": 12}},
    "questions": [
        {"key": "card", "kind": "photo", "label": "A photo of your card"},
        {"key": "initials", "kind": "initials", "label": "Your initials"},
        {"key": "notes", "kind": "long_text", "label": "Notes"},
    ],
}
CONTENT = "I, [PARTICIPANT NAME], ride.\n\nI can swim. [INITIALS]"


def data_url(image: Image.Image, kind: str, *, quality: int = 75) -> str:
    content = io.BytesIO()
    image.save(content, kind, quality=quality)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(content.getvalue()).decode()}"


def noise(size: int = 380) -> str:
    """Returns a photo that cannot be compressed. By default it is about as large as the database accepts."""
    return data_url(Image.effect_noise((size, size), 200), "JPEG")


def damaged_photo() -> str:
    return "data:image/png;base64," + base64.b64encode(png()[:48]).decode()


async def sign_with(database: Database, rosa: Person, **answers: str) -> UUID:
    session_id = await open_session(database, rosa, PHOTO_FORM, CONTENT)
    waiver = await sign_form(
        database,
        session_id,
        answers=answers,
        participants=[minor(17, answers={}, signature=signature_data_url(b"\xff\x00\x00\xff"))],
        guardian=GUARDIAN,
        initials=[noise(100)],
    )
    waiver_id: UUID = waiver["id"]
    return waiver_id


def with_output_limit(documents: DocumentContext, kilobytes: int) -> DocumentContext:
    """Limits the size of the document.

    The limits of time and memory have the same effect, but whether a document exceeds them depends on the machine.
    """
    limits = SandboxLimits(cpu_seconds=60, wall_seconds=60, memory_bytes=2**30, output_bytes=kilobytes * 1024)
    return replace(
        documents, rendering=SandboxPool(limits, PoolSize(processes=1, processes_per_key=1, calls_per_process=10))
    )


async def test_14a2_a_document_whose_pictures_are_too_large_is_made_without_them(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, tmp_path: Path
) -> None:
    card = noise()
    waiver_id = await sign_with(database, rosa, card=card, initials=noise(100))
    limited = with_output_limit(documents, 150)

    pack = await pack_of(database, limited, seal, rosa, waiver_id)
    await limited.rendering.close()

    text = document_text(pack["waiver.pdf"], tmp_path)
    assert "Signature is Valid" in pdfsig(tmp_path / "waiver.pdf")
    # Not printed: the photo, the initials in an answer, the initials in the text, and the signature of the minor.
    assert text.count(NOT_PRINTED.partition(",")[0]) == 4
    assert findings(pack, [seal.certificate]) == []
    [signer, _] = json.loads(pack["form.json"])["participants"]
    assert json.loads(signer["answers"])["card"] == card, "the evidence contains the original"
    assert count_images(pack["waiver.pdf"]) == 1, "the signature of the signer is always printed"


async def test_a_document_that_is_too_large_even_without_pictures_is_not_tried_again(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    waiver_id = await sign_with(database, rosa, card=noise())
    limited = with_output_limit(documents, 10)

    await prepare_document(database, limited, seal, waiver_id)
    await limited.rendering.close()

    assert await admin.fetchval("select is_final from waivers.document_failures where waiver_id = $1", waiver_id)


async def test_a_document_with_pictures_of_ordinary_size_contains_them(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, tmp_path: Path
) -> None:
    waiver_id = await sign_with(database, rosa, card=noise(), initials=noise(100))

    pack = await pack_of(database, documents, seal, rosa, waiver_id)

    assert "This picture is not printed" not in document_text(pack["waiver.pdf"], tmp_path)
    assert count_images(pack["waiver.pdf"]) == 5


async def test_a_damaged_photo_is_mentioned_and_a_text_that_begins_like_a_data_url_is_printed(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, tmp_path: Path
) -> None:
    waiver_id = await sign_with(database, rosa, card=damaged_photo(), notes="data: the key is under the mat")

    pack = await pack_of(database, documents, seal, rosa, waiver_id)

    text = document_text(pack["waiver.pdf"], tmp_path)
    assert NOT_SHOWN in text
    assert "data: the key is under the mat" in text


def test_14a2_a_large_jpeg_is_decoded_at_a_reduced_size(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded_sizes: list[tuple[int, int]] = []
    thumbnail = Image.Image.thumbnail

    def record_size(image: Image.Image, size: tuple[int, int]) -> None:
        decoded_sizes.append(image.size)
        thumbnail(image, size)

    monkeypatch.setattr(Image.Image, "thumbnail", record_size)

    assert photo_image(data_url(Image.new("RGB", (2000, 1000), "red"), "JPEG"))
    assert decoded_sizes == [(1000, 500)]


def test_14a2_a_huge_signature_is_printed_smaller() -> None:
    image = signature_image(data_url(Image.new("RGBA", (4096, 2048), "black"), "PNG"))

    assert image is not None
    assert Image.open(io.BytesIO(bytes(image))).size == (800, 400)


def repeated_noise(size: int = 4096, rows: int = 7) -> str:
    """Returns a PNG that is small, because the same rows of noise are repeated. Scaled down, it is noise everywhere."""
    noise_rows = [b"\x00" + os.urandom(size) for _ in range(rows)]
    compressor = zlib.compressobj(9, zlib.DEFLATED, 15, 9)
    pixels = b"".join(compressor.compress(noise_rows[y % rows]) for y in range(size)) + compressor.flush()
    palette = png_chunk(b"PLTE", os.urandom(768)) + png_chunk(b"tRNS", os.urandom(256))
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 3, 0, 0, 0))
    content = b"\x89PNG\r\n\x1a\n" + header + palette + png_chunk(b"IDAT", pixels) + png_chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(content).decode()


async def test_16b3_a_signature_of_repeated_noise_does_not_prevent_the_document(
    documents: DocumentContext, seal: Seal, make_record: MakeRecord
) -> None:
    document = await documents.render_and_seal(make_record(signature=repeated_noise()), seal)

    assert count_images(document) == 1


def test_16b3_a_signature_that_is_large_as_a_png_is_printed_as_a_jpeg() -> None:
    noise_picture = Image.frombytes("RGBA", (1200, 400), os.urandom(1200 * 400 * 4))

    image = signature_image(data_url(noise_picture, "PNG"))

    assert image is not None
    assert (Image.open(io.BytesIO(bytes(image))).format, len(image) < 500_000) == ("JPEG", True)


@pytest.mark.parametrize("print_picture", [photo_image, signature_image])
def test_18b2_a_small_png_of_repeated_noise_does_not_become_a_large_picture(
    print_picture: Callable[[str], list[int] | None],
) -> None:
    """As a JPEG of the usual quality, such a photo would have 400 kB."""
    picture = repeated_noise(800, rows=8)

    image = print_picture(picture)

    assert len(picture) < 20_000
    assert image
    assert len(image) <= max(2 * len(picture), 20_000)


@pytest.mark.parametrize("size", [(1280, 960), (480, 360)])
def test_18b2_a_photo_of_the_signing_page_is_printed_in_full_quality(size: tuple[int, int]) -> None:
    """The signing page sends a JPEG of quality 70. A noisy photo grows most when it is encoded again."""
    image = photo_image(data_url(Image.effect_noise(size, 10), "JPEG", quality=70))

    assert image is not None
    printed = Image.open(io.BytesIO(bytes(image)))
    assert max(printed.size) == min(max(size), 800)
    # The first quantization table says with which quality a JPEG was encoded.
    assert printed.quantization[0] == quantization_of_quality(80)  # type: ignore[attr-defined] # only JPEGs have it


def quantization_of_quality(quality: int) -> list[int]:
    content = io.BytesIO()
    Image.new("RGB", (8, 8)).save(content, "JPEG", quality=quality)
    table: list[int] = Image.open(content).quantization[0]  # type: ignore[attr-defined] # only JPEGs have it
    return table


def test_18b2_the_pictures_of_a_form_have_four_megabytes_together() -> None:
    pictures = Pictures(are_printed=True)
    photo = noise(700)

    printed = [pictures.photo(photo) for _ in range(20)]

    bytes_of_pictures = sum(len(picture["picture"] or []) for picture in printed)
    assert 3_000_000 < bytes_of_pictures <= 4_000_000
    assert (printed[0]["note"], printed[-1]["note"]) == ("", NOT_PRINTED)
    assert pictures.signature(signature_data_url())["note"] == NOT_PRINTED


def test_18b2_as_many_photos_as_the_signing_page_sends_are_printed() -> None:
    """A request has at most 5 MB, which are 3.7 MB of pictures."""
    pictures = Pictures(are_printed=True)
    photo = data_url(Image.effect_noise((1280, 960), 10), "JPEG", quality=70)

    printed = [pictures.photo(photo) for _ in range(5_000_000 // len(photo))]

    assert {picture["note"] for picture in printed} == {""}


def count_images(pdf: bytes) -> int:
    with pikepdf.open(io.BytesIO(pdf)) as document:
        return sum(len(page.get_images()) for page in document.pages)
