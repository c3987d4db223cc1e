"""A damaged or unusual picture or answer must not prevent a document from being made.

13A2 and 16B4 are findings in docs/security.md.
"""

import base64
import json
import struct
import zlib
from pathlib import Path
from uuid import UUID

import pytest
from PIL import Image

from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents.errors import DocumentUnprintable
from cairn.waivers.documents.record import Participant
from cairn.waivers.documents.rendering.answers import NOT_PRINTED
from cairn.waivers.documents.rendering.images import photo_image, signature_image
from tests.factories import png, png_chunk
from tests.waivers.documents.conftest import MakeRecord
from tests.waivers.forms.packs import document_text


def data_url(content: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(content).decode()


def with_chunk_before_the_end(kind: bytes) -> bytes:
    end = png_chunk(b"IEND", b"")
    return png().removesuffix(end) + png_chunk(kind, b"") + end


@pytest.mark.parametrize("kind", [b"iCCP", b"zTXt", b"iTXt", b"pHYs", b"eXIf", b"gAMA", b"sRGB"])
def test_13a2_an_empty_chunk_raises_no_error(kind: bytes) -> None:
    picture = data_url(with_chunk_before_the_end(kind))

    for image in (signature_image(picture), photo_image(picture)):
        assert image is None or len(image) > 0


def test_13a2_a_picture_that_is_cut_off_is_not_printed() -> None:
    assert signature_image(data_url(png()[:40])) is None
    assert photo_image(data_url(png()[:40])) is None


def grey_with_16_bits(width: int, height: int) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0)
    rows = b"".join(b"\x00" + bytes(2 * width) for _ in range(height))
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(png_chunk(kind, body) for kind, body in chunks)


def test_16b4_a_long_picture_with_16_bits_of_grey_is_printed() -> None:
    picture = data_url(grey_with_16_bits(8, 4000))

    assert photo_image(picture)
    assert signature_image(picture)


def test_16b4_a_picture_that_cannot_be_encoded_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("image has wrong mode")

    monkeypatch.setattr(Image.Image, "save", fail)

    assert signature_image(data_url(png())) is None
    assert photo_image(data_url(png())) is None


@pytest.mark.usefixtures("pdf_tools")
async def test_16b4_an_answer_that_cannot_be_printed_does_not_prevent_the_document(
    documents: DocumentContext, seal: Seal, make_record: MakeRecord, tmp_path: Path
) -> None:
    """The answer names an option that the question does not have."""
    question = {"key": "gear", "kind": "several_of", "label": "Gear", "options": [{"value": "raft", "label": "Raft"}]}
    signer = Participant(
        id=UUID(int=1), number=0, takes_part=True, name="Gil Okafor", birth_date=None, kind="adult",
        answers='{"gear": ["canoe"]}', signature=None, sensitive_sha256=None, sensitive_answers=None,
        sensitive_salt=None,
    )  # fmt: skip
    record = make_record(form=json.dumps({"questions": [question]}), participants=[signer], record_version=4)

    text = document_text(await documents.render_and_seal(record, seal), tmp_path)

    assert NOT_PRINTED in text


async def test_16b4_a_waiver_without_a_form_that_cannot_be_printed_is_tried_again_later(
    documents: DocumentContext, seal: Seal, make_record: MakeRecord
) -> None:
    with pytest.raises(DocumentUnprintable):
        await documents.render_and_seal(make_record(signed_at=None), seal)
