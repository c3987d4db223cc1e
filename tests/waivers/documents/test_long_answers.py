"""A long answer continues on the next page, and nothing of it is cut off.

If the answers are too expensive to print, the waiver still gets its document.

15A3 is a finding in docs/security.md.
"""

import re
from pathlib import Path

import pytest

from cairn.db import Database
from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents.rendering.answers import NOT_PRINTED
from tests.independent_verifier import findings
from tests.people import Person
from tests.waivers.documents.tools import pdfsig
from tests.waivers.forms.packs import document_text, pack_of
from tests.waivers.forms.sample_forms import GUARDIAN, minor, open_session, sign_form

pytestmark = pytest.mark.usefixtures("pdf_tools")

FORM = {"questions": [{"key": "notes", "kind": "long_text", "label": "Notes"}]}
MANY_LINES = "\n".join(f"Line {number}" for number in range(390))
ONE_LINE = " ".join(f"part{number}" for number in range(440))
FAMILY_FORM = {
    "covers": {"minors": {}},
    "questions": [
        {"key": key, "kind": "long_text", "label": "Notes", "asked_of": "participant"} for key in ("health", "other")
    ],
}
# Rendering so many accents on top of each other takes more memory than a document may use.
ACCENTS = {"health": "\u0301" * 4000, "other": "\u0301" * 4000}


@pytest.mark.parametrize("answer", [MANY_LINES, ONE_LINE], ids=["lines", "one line"])
async def test_a_long_answer_is_printed_completely(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, answer: str, tmp_path: Path
) -> None:
    waiver = await sign_form(database, await open_session(database, rosa, FORM), answers={"notes": answer})

    pack = await pack_of(database, documents, seal, rosa, waiver["id"])

    text = re.sub(r"River trip · waiver \S+ Page \d+ of \d+", "", document_text(pack["waiver.pdf"], tmp_path))
    assert " ".join(answer.split()) in " ".join(text.split())


async def test_15a3_answers_that_take_too_much_memory_to_print_do_not_prevent_the_document(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, tmp_path: Path
) -> None:
    waiver = await sign_form(
        database,
        await open_session(database, rosa, FAMILY_FORM),
        answers=ACCENTS,
        participants=[minor(8, answers=ACCENTS)] * 10,
        guardian=GUARDIAN,
    )

    pack = await pack_of(database, documents, seal, rosa, waiver["id"])

    text = document_text(pack["waiver.pdf"], tmp_path)
    assert "Signature is Valid" in pdfsig(tmp_path / "waiver.pdf")
    assert (text.count(NOT_PRINTED), text.count("Mia Okafor Minor, born")) == (11, 10)
    assert findings(pack, [seal.certificate]) == []
    assert ACCENTS["health"] in pack["form.json"].decode(), "the evidence contains the answers"
