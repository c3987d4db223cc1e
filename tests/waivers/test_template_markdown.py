"""A template's Markdown on paper, by the same cases as on the page (`markdown-cases.test.tsx`)."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from cairn.waivers import DocumentContext
from cairn.waivers.documents.forms.interactive_form import FormContent, interactive_pdf
from cairn.waivers.documents.rendering.markdown import parse_markdown
from tests.waivers.documents.tools import pdftotext

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "markdown.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_paper_reads_it_as_the_page_does(case: dict[str, Any]) -> None:
    assert [asdict(block) for block in parse_markdown(case["text"])] == case["blocks"]


@pytest.mark.usefixtures("pdf_tools")
def test_every_word_of_it_is_printed(documents: DocumentContext, tmp_path: Path) -> None:
    names = {"[PARTICIPANT NAME]": "Gil", "[COMPANY NAME]": "Rio Rafting"}
    words = FormContent(
        "Cases", "Rio Rafting", "\n\n".join(case["text"] for case in CASES), "https://x.example/1", recipient_name="Gil"
    )
    file = tmp_path / "form.pdf"
    file.write_bytes(interactive_pdf(documents.renderer, words))
    printed = bare(pdftotext(file))

    for case in CASES:
        for span in (span for block in case["blocks"] for item in block["items"] for span in item):
            text = span["text"]
            for blank, name in names.items():
                text = text.replace(blank, name)
            # Words from right to left are told in other orders by other tools; the signed documents' tests know them.
            if text.isascii():
                assert bare(text) in printed, (case["name"], text)


def bare(text: str) -> str:
    return "".join(text.split())
