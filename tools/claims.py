"""Compares docs/claims.md with what the public pages, the README and the emails say.

`python -m tools.claims` adds new sentences with the proof `?`, for a person to fill in, and removes sentences that no
page contains any more. It reads the built pages, so run `make web` first. The sentences of the help pages, which only
a signed-in company can open, are compared by tests/e2e/test_help.py.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from lxml import html

from cairn.kit import frozen_dataclass
from cairn.site import BUILD_FOLDER
from tools.html_sentences import sentences_of_html, split_sentences

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs" / "claims.md"
# Sentences that more than one page contains are listed once, under this heading.
SEVERAL_PAGES = "Several pages"
README = "README.md"
EMAILS = "Emails and text messages"
UNKNOWN_PROOF = "?"
# Only a signed-in company can open these pages, so they are not among the built ones.
HELP_PAGES = ("/dashboard/help/documentation", "/dashboard/help/tutorials", "/dashboard/help/support")
# These entries replace a proof. The document explains them.
WITHOUT_PROOF = ("wording", "advice", "law", "sample", "about us")
# The texts of all emails and text messages are constants of these files.
EMAIL_FILES = (
    "cairn/auth/email_links/emails.py",
    "cairn/deletion/company_messages.py",
    "cairn/deletion/messages.py",
    "cairn/functions/send_email.py",
    "cairn/functions/send_invitation.py",
    "cairn/functions/send_test_email.py",
    "cairn/inquiries/operator_email.py",
    "cairn/messaging/greeting.py",
    "cairn/messaging/render_email.py",
    "cairn/waivers/documents/signer_copy.py",
    "cairn/waivers/invitation.py",
    "cairn/waivers/notify_company.py",
    "cairn/waivers/notify_erasure_request.py",
    "cairn/waivers/push_to_company.py",
    "cairn/waivers/reminders/messages.py",
    "cairn/waivers/retention.py",
    "cairn/waivers/text_invitation.py",
)

_SECTION = re.compile(r"^## (?P<page>.+)$", re.MULTILINE)
_ROW = re.compile(r"^\| (?P<sentence>.+?) \| (?P<proof>[^|]+?) \|$", re.MULTILINE)
_PROOFS_HEADING = "Proofs"
_TABLE_HEAD = "| sentence | proof |\n|---|---|\n"

# The sentences of each page, in order.
Pages = dict[str, list[str]]


@frozen_dataclass
class Claims:
    """The content of docs/claims.md."""

    introduction: str
    # The tests behind the name of each proof.
    tests: Mapping[str, list[str]]
    # The proof of each sentence, for each page.
    pages: Mapping[str, Mapping[str, str]]


def main() -> None:
    claims, found_pages = read_claims(), find_pages()
    document = update(claims, found_pages)
    DOCS.write_text(document, "utf-8")
    print(f"{DOCS.relative_to(ROOT)}: {document.count(f'| {UNKNOWN_PROOF} |')} sentences need a proof.")


def read_claims(document: str | None = None) -> Claims:
    """Parses `document`, which is docs/claims.md by default."""
    introduction, *parts = _SECTION.split(DOCS.read_text("utf-8") if document is None else document)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    proofs = _read_rows(sections.pop(_PROOFS_HEADING))
    tests = {name: re.findall(r"`([^`]+)`", cell) for name, cell in proofs.items()}
    return Claims(introduction, tests, {page: _read_rows(section) for page, section in sections.items()})


def _read_rows(section: str) -> dict[str, str]:
    rows = {row["sentence"].replace("\\|", "|"): row["proof"] for row in _ROW.finditer(section)}
    return {key: value for key, value in rows.items() if key not in {"sentence", "proof", "---"}}


def find_pages() -> Pages:
    """Returns the sentences of the built pages, the README and the emails, those of several pages separately."""
    pages = {**_built_pages(), README: _readme_sentences(), EMAILS: _email_sentences()}
    return separate_repeated(pages)


def separate_repeated(pages: Pages) -> Pages:
    """Moves the sentences that several pages contain to `SEVERAL_PAGES`, in the order in which they appear."""
    occurrences = [sentence for sentences in pages.values() for sentence in dict.fromkeys(sentences)]
    repeated = dict.fromkeys(sentence for sentence in occurrences if occurrences.count(sentence) > 1)
    single = {
        page: [sentence for sentence in dict.fromkeys(sentences) if sentence not in repeated]
        for page, sentences in pages.items()
    }
    return {SEVERAL_PAGES: list(repeated), **{page: sentences for page, sentences in single.items() if sentences}}


def _built_pages() -> Pages:
    folder = BUILD_FOLDER / "app"
    files = sorted(folder.rglob("index.html"), key=lambda file: file.parent)
    return {
        "/" + file.parent.relative_to(folder).as_posix().removeprefix("."): sentences_of_html(
            html.document_fromstring(file.read_text("utf-8"))
        )
        for file in files
    }


def _readme_sentences() -> list[str]:
    without_code = re.sub(r"^```.*?^```$", "", (ROOT / README).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    without_links = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", without_code)
    # A paragraph, a heading and a cell of a table are separate texts.
    texts = re.split(r"\n\n|\|", re.sub(r"[`*#]", "", without_links))
    return [sentence for text in texts for sentence in split_sentences(text)]


def _email_sentences() -> list[str]:
    texts = (text for file in EMAIL_FILES for text in _written_texts(ROOT / file))
    return [
        sentence
        for text in texts
        # Only the visible text of the HTML layout counts.
        for block in re.sub(r"<style>.*</style>|<[^>]*>|\{\{.*?\}\}", "\n\n", text, flags=re.DOTALL).split("\n\n")
        for sentence in split_sentences(block)
    ]


def _written_texts(file: Path) -> Iterator[str]:
    """Yields the strings in the constants of a module, and the texts that its functions mark for translation."""
    for statement in ast.parse(file.read_text("utf-8")).body:
        is_constant = isinstance(statement, ast.Assign | ast.AnnAssign)
        nodes = [statement] if is_constant else [node for node in ast.walk(statement) if _is_marked(node)]
        yield from (text for node in nodes for text in _strings_in(node) if " " in text)


def _is_marked(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"text", "plural"}


def _strings_in(node: ast.AST) -> Iterator[str]:
    """Yields the strings below `node`. In an f-string, each inserted expression is written as in the source."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(_inserted(part) for part in node.values)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _strings_in(child)


def _inserted(part: ast.expr) -> str:
    return f"{{{ast.unparse(part.value)}}}" if isinstance(part, ast.FormattedValue) else str(ast.literal_eval(part))


def find_differences(claims: Claims, found_pages: Pages) -> list[str]:
    """Returns one line for each sentence that is not listed, and for each listed sentence that no page contains."""
    differences = []
    for page, sentences in found_pages.items():
        listed = claims.pages.get(page, {})
        differences += [f"{page}: not listed: {sentence}" for sentence in sentences if sentence not in listed]
        differences += [f"{page}: listed, but not on the page: {sentence}" for sentence in listed.keys() - {*sentences}]
    return differences


def update(claims: Claims, found_pages: Pages) -> str:
    """Returns the document with the sentences of the pages. The help pages, which were not read, stay as they are."""
    known_proofs = {sentence: proof for rows in claims.pages.values() for sentence, proof in rows.items()}
    pages = {
        page: {sentence: known_proofs.get(sentence, UNKNOWN_PROOF) for sentence in sentences}
        for page, sentences in found_pages.items()
    }
    pages |= {page: dict(claims.pages[page]) for page in HELP_PAGES if page in claims.pages}
    return render(Claims(claims.introduction, claims.tests, pages))


def render(claims: Claims) -> str:
    proofs = {name: ", ".join(f"`{test}`" for test in tests) for name, tests in sorted(claims.tests.items())}
    sections = {page: _TABLE_HEAD + _render_rows(rows) for page, rows in claims.pages.items()}
    sections[_PROOFS_HEADING] = "| proof | tests |\n|---|---|\n" + _render_rows(proofs)
    return claims.introduction + "\n".join(f"## {page}\n\n{section}" for page, section in sections.items())


def _render_rows(rows: Mapping[str, str]) -> str:
    return "".join(f"| {_escape(sentence)} | {proof} |\n" for sentence, proof in rows.items())


def _escape(sentence: str) -> str:
    return sentence.replace("|", "\\|")


if __name__ == "__main__":
    main()
