"""A document shows the same text as the signing page."""

import json
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents.rendering.markdown import parse_markdown
from cairn.waivers.documents.rendering.waiver_text import cjk_fonts, text_direction
from tests.structure.tree import ROOT
from tests.waivers.documents.conftest import MakeRecord
from tests.waivers.documents.tools import pdftotext

EXAMPLES = [
    "# Risk\nText\n\n- a\n- b\n\n1. one\n2. two\n\n---\nEnd",
    "one\ntwo\r\nthree",
    "- first\n  goes on\n- second",
    "3. third\n4. fourth\n7. seventh\n7. seventh again",
    "a **bold** and *soft* _word_",
    "<script>alert(1)</script> <b>x</b> [link](javascript:alert(1)) ![x](y)",
    "5 * 3 * 2, snake_case_name, Name: ________ Date: ____",
    "#not a heading, 1.1 not a list, -5 degrees",
    "**never closed and *neither",
    "\\*not soft\\* **a*b** *_c_*",
    "***\n**",
    "• точка\n+ плюс\n12) двенадцать",
]
RANDOM_MARKDOWN = st.text(alphabet=st.sampled_from(list("ab *_-+#\\123.)\n•é")), max_size=60)
BROWSER_PARSER = ROOT / "web" / "app" / "features" / "signing" / "markdown.ts"


def parse_in_browser(texts: list[str]) -> object:
    """Runs the parser of the signing page in Node."""
    script = (
        f"import {{ parseMarkdown }} from {json.dumps(BROWSER_PARSER.as_uri())};"
        "import { readFileSync } from 'node:fs';"
        "console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(parseMarkdown)));"
    )
    result = subprocess.run(
        [str(ROOT / ".venv" / "bin" / "node"), "--no-warnings", "--input-type=module", "-e", script],
        input=json.dumps(texts), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(result.stdout)


def parse_on_server(texts: list[str]) -> object:
    return [[asdict(block) for block in parse_markdown(text)] for text in texts]


def test_server_and_page_parse_the_same_markdown() -> None:
    assert parse_on_server(EXAMPLES) == parse_in_browser(EXAMPLES)


@settings(max_examples=5, deadline=None)
@given(st.lists(RANDOM_MARKDOWN, min_size=200, max_size=400))
def test_both_parsers_agree_on_random_text(texts: list[str]) -> None:
    assert parse_on_server(texts) == parse_in_browser(texts)


NAMES = {
    "Latin": "Zoë Müller-Nuñez Łukasiewicz",
    "Cyrillic": "Дмитрий Щербаков",
    "Greek": "Γιώργος Παπαδόπουλος",
    "Chinese": "王小明",
    "Japanese": "山田 さくら",
    "Korean": "김민준",
    "Arabic": "محمد العربي",
    "Hebrew": "דוד כהן",
    "Thai": "สมชาย ใจดี",
    "Devanagari": "राजेश शर्मा",
}


@pytest.mark.usefixtures("pdf_tools")
@pytest.mark.parametrize("script", NAMES)
async def test_names_in_every_script_can_be_copied_from_the_document(
    documents: DocumentContext, seal: Seal, make_record: MakeRecord, script: str, tmp_path: Path
) -> None:
    document = await documents.get_or_create(make_record(signer_name=NAMES[script]), seal)
    file = tmp_path / "waiver.pdf"
    file.write_bytes(document)

    text = normalized(pdftotext(file))

    # The name is in the text, under the signature, and on the certificate page.
    assert text.count(normalized(NAMES[script])) >= 3


def normalized(text: str) -> str:
    """Removes spaces and the direction marks that pdftotext adds."""
    return "".join(char for char in text if not char.isspace() and char not in "\u202a\u202b\u202c\u200e\u200f")


HOSTILE_TEXT = '#read("/etc/passwd") #eval("1+1") $x$ *b* _e_ `r` <label> @ref \\ // /* ]] )) "quotes" **'


@pytest.mark.usefixtures("pdf_tools")
async def test_user_text_is_printed_and_never_evaluated(
    documents: DocumentContext, seal: Seal, make_record: MakeRecord, tmp_path: Path
) -> None:
    record = make_record(
        signer_name=HOSTILE_TEXT,
        template_name=HOSTILE_TEXT,
        company_name=HOSTILE_TEXT,
        user_agent=HOSTILE_TEXT,
        consent_text=HOSTILE_TEXT,
    )
    file = tmp_path / "waiver.pdf"
    file.write_bytes(await documents.get_or_create(record, seal))

    text = normalized(pdftotext(file))

    assert text.count(normalized(HOSTILE_TEXT)) >= 5
    assert "root:" not in text


@pytest.mark.parametrize(
    "picture", ["data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==", "data:image/png;base64,", "nonsense"]
)
async def test_a_malformed_signature_picture_does_not_prevent_the_document(
    documents: DocumentContext, seal: Seal, make_record: MakeRecord, picture: str
) -> None:
    assert (await documents.get_or_create(make_record(signature=picture), seal)).startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Gil", "ltr"), ("דוד", "rtl"), ("123 محمد", "rtl"), ("... Gil דוד", "ltr"), ("", "ltr"), ("123", "ltr")],
)
def test_the_first_character_with_a_direction_decides_the_direction_of_a_text(text: str, expected: str) -> None:
    assert text_direction(text) == expected


@pytest.mark.parametrize(
    ("text", "region"), [("山田 さくら", "JP"), ("김민준 金", "KR"), ("王小明", "SC"), ("Gil", "SC")]
)
def test_cjk_characters_are_drawn_as_in_their_language(text: str, region: str) -> None:
    assert cjk_fonts(text)[0] == f"Noto Sans CJK {region}"
