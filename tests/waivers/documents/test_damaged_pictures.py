"""13A2 in docs/security.md: a damaged picture must not prevent a document from being made."""

import base64

import pytest

from cairn.waivers.documents.rendering.images import photo_image, signature_image
from tests.factories import png, png_chunk


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
