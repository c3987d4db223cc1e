"""H3 in docs/security.md: the limits of a template's text also limit the time in which its PDF is rendered.

Each text here is as long as a template may be, and as expensive as its characters allow. The processes of the worker
render it, and they stop after eight seconds of processor time for a document.
"""

import base64
import io
import random

import pytest
from PIL import Image

from cairn.db import Database
from cairn.waivers import DocumentContext, Seal
from tests.factories import make_session, make_template, sign
from tests.people import Person
from tests.waivers.test_text_limits import prepare_like_the_worker, status_of

LONGEST_NAME = "n " * 199 + "nn"
ARABIC_CHARACTER = "\u0628"
CHINESE_CHARACTERS = "".join(map(chr, range(0x4E00, 0x9E00)))

WORST_TEXTS = {
    "list items": "".join(f"{number * 2 + 1}. {'word ' * 8}\n" for number in range(2000)),
    "emphasis": "*a* b " * (100_000 // 6),
    "emphasis without spaces": "*a*" * (100_000 // 3),
    "emphasis that never ends": "**a" * (100_000 // 3),
    "Chinese": (CHINESE_CHARACTERS * 5)[:100_000],
    "two writing directions": f"a{ARABIC_CHARACTER} " * (100_000 // 3),
    # A placeholder for a name counts as 400 characters. With the two asterisks and the space, these are 403.
    "placeholders": "*[PARTICIPANT NAME]* " * (100_000 // 403),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", WORST_TEXTS.values(), ids=WORST_TEXTS)
async def test_h3_the_worst_text_that_can_be_saved_is_rendered_within_the_limits(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, text: str
) -> None:
    template_id = await make_template(database, rosa, content=text)
    session_id = await make_session(database, rosa, template_id)
    waiver = await sign(database, session_id, name=LONGEST_NAME, signature=worst_signature())

    await prepare_like_the_worker(database, documents, seal, waiver["id"])

    assert await status_of(database, rosa, waiver["id"]) == "ready"


def worst_signature() -> str:
    """Returns a picture of noise. Noise cannot be compressed, so the file is nearly as large as a signature may be."""
    noise = random.Random(1).randbytes(2000 * 2000 // 8)  # noqa: S311 - the same noise in every run
    picture = Image.frombytes("1", (2000, 2000), noise)
    png = io.BytesIO()
    picture.save(png, "PNG")
    return "data:image/png;base64," + base64.b64encode(png.getvalue()).decode()
