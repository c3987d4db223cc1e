"""A long answer continues on the next page, and nothing of it is cut off."""

import re
from pathlib import Path

import pytest

from cairn.db import Database
from cairn.waivers import DocumentContext, Seal
from tests.cast import Person
from tests.waivers.forms.packs import document_text, pack_of
from tests.waivers.forms.scene import open_session, sign_form

pytestmark = pytest.mark.usefixtures("pdf_tools")

FORM = {"questions": [{"key": "notes", "kind": "long_text", "label": "Notes"}]}
MANY_LINES = "\n".join(f"Line {number}" for number in range(390))
ONE_LINE = " ".join(f"part{number}" for number in range(440))


@pytest.mark.parametrize("answer", [MANY_LINES, ONE_LINE], ids=["lines", "one line"])
async def test_a_long_answer_is_printed_completely(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, answer: str, tmp_path: Path
) -> None:
    waiver = await sign_form(database, await open_session(database, rosa, FORM), answers={"notes": answer})

    pack = await pack_of(database, documents, seal, rosa, waiver["id"])

    text = re.sub(r"River trip · waiver \S+ Page \d+ of \d+", "", document_text(pack["waiver.pdf"], tmp_path))
    assert " ".join(answer.split()) in " ".join(text.split())
