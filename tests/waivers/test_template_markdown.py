"""A template's Markdown is parsed for the PDF as it is on the page: `markdown-cases.test.tsx` has the same cases."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from cairn.waivers.documents.rendering import FormContent, Renderer, interactive_pdf
from cairn.waivers.documents.rendering.markdown import parse_markdown
from tests.waivers.documents.tools import pdftotext

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "markdown.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_server_parses_markdown_like_the_page(case: dict[str, Any]) -> None:
    assert [asdict(block) for block in parse_markdown(case["text"])] == case["blocks"]


@pytest.mark.usefixtures("pdf_tools")
def test_the_interactive_form_contains_all_of_the_text(tmp_path: Path) -> None:
    names = {"[PARTICIPANT NAME]": "Gil", "[COMPANY NAME]": "Rio Rafting"}
    content = FormContent(
        "Cases", "Rio Rafting", "\n\n".join(case["text"] for case in CASES), "https://x.example/1", recipient_name="Gil"
    )
    file = tmp_path / "form.pdf"
    file.write_bytes(interactive_pdf(Renderer(), content))
    text_in_pdf = without_spaces(pdftotext(file))

    for case in CASES:
        for span in (span for block in case["blocks"] for item in block["items"] for span in item):
            text = span["text"]
            for placeholder, name in names.items():
                text = text.replace(placeholder, name)
            # pdftotext reorders right-to-left text; documents/test_document_text.py covers other scripts.
            if text.isascii():
                assert without_spaces(text) in text_in_pdf, (case["name"], text)


def without_spaces(text: str) -> str:
    return "".join(text.split())
