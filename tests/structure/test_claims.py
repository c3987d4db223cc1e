"""docs/claims.md lists every sentence of the public pages, the README and the emails, with the tests that prove it."""

import re

import pytest
from lxml import html

from tests.structure.tree import ROOT, read_source, relative_name, source_files
from tools.claims import (
    EMAIL_FILES,
    HELP_PAGES,
    WITHOUT_PROOF,
    Claims,
    find_differences,
    find_pages,
    read_claims,
    separate_repeated,
    update,
)
from tools.html_sentences import sentences_of_html

CLAIMS = read_claims()
TEST_TITLE = re.compile(
    r"""\b(?:test|it|describe)(?:\.\w+)*(?:\([^()]*\))?\(\s*(["'`])(?P<title>.*?)(?<!\\)\1""", re.DOTALL
)
DOCUMENT = """\
# Claims

## Proofs

| proof | tests |
|---|---|
| signing is free | `tests/test_free.py::test_guests_pay_nothing` |

## /pricing

| sentence | proof |
|---|---|
| Guests never pay. | signing is free |
| We deliver by pigeon. | about us |
"""


@pytest.mark.accept("TRUE-17")
def test_every_sentence_is_listed_and_every_listed_sentence_is_on_its_page() -> None:
    if not (ROOT / "cairn" / "web_build" / ".ready").exists():
        pytest.fail("the web app is not built; run `make web`")

    found_pages = find_pages()

    differences = find_differences(CLAIMS, found_pages)
    assert not differences, "\n".join(["Run `make claims` and fill in the proofs:", *differences])
    assert CLAIMS.pages.keys() - found_pages.keys() == {*HELP_PAGES}


@pytest.mark.accept("TRUE-17")
def test_every_sentence_has_a_proof_or_a_reason_why_there_is_none() -> None:
    explained = {*CLAIMS.tests, *WITHOUT_PROOF}

    assert {
        sentence: proof for rows in CLAIMS.pages.values() for sentence, proof in rows.items() if proof not in explained
    } == {}


def test_every_proof_is_used_and_has_tests() -> None:
    used_proofs = {proof for rows in CLAIMS.pages.values() for proof in rows.values()}

    assert CLAIMS.tests.keys() - used_proofs == set()
    assert [proof for proof, tests in CLAIMS.tests.items() if not tests] == []


def test_every_test_that_proves_a_sentence_exists() -> None:
    references = {test for tests in CLAIMS.tests.values() for test in tests}

    assert len(references) > 100
    assert sorted(reference for reference in references if not is_test(reference)) == []


def is_test(reference: str) -> bool:
    file, _, name = reference.partition("::")
    if not (ROOT / file).is_file():
        return False
    source = read_source(ROOT / file)
    return f"def {name}(" in source if file.endswith(".py") else name in find_titles(source)


def find_titles(source: str) -> list[str]:
    """Returns the titles of the TypeScript tests in `source`."""
    return [match["title"] for match in TEST_TITLE.finditer(source)]


def test_a_sentence_about_cairn_is_neither_advice_nor_law() -> None:
    """A sentence about what the product does needs a proof, even in an article."""
    assert [
        sentence
        for rows in CLAIMS.pages.values()
        for sentence, proof in rows.items()
        if "Cairn" in sentence and proof in {"advice", "law"}
    ] == []


def test_the_texts_of_all_emails_are_read() -> None:
    writers = {
        relative_name(path)
        for path in source_files("cairn/**/*.py")
        if re.search(r"return Email\(|= Email\(|return GuestText\(", read_source(path))
    }

    # The sample company's emails are never delivered.
    assert writers - {*EMAIL_FILES} == {"cairn/demo/write_season.py"}


def test_a_new_sentence_and_a_removed_sentence_are_named() -> None:
    claims = read_claims(DOCUMENT)

    assert find_differences(claims, {"/pricing": ["Guests never pay.", "Boats are free."]}) == [
        "/pricing: not listed: Boats are free.",
        "/pricing: listed, but not on the page: We deliver by pigeon.",
    ]
    assert find_differences(claims, {"/new": ["We have a new page."]}) == ["/new: not listed: We have a new page."]


def test_an_update_keeps_the_known_proofs_and_marks_the_new_sentences() -> None:
    document = update(read_claims(DOCUMENT), {"/": ["Boats are free."], "/pricing": ["Guests never pay."]})

    claims = read_claims(document)
    assert claims.pages == {"/": {"Boats are free.": "?"}, "/pricing": {"Guests never pay.": "signing is free"}}
    assert claims.tests == {"signing is free": ["tests/test_free.py::test_guests_pay_nothing"]}
    assert isinstance(claims, Claims)


def test_a_sentence_of_several_pages_is_listed_once() -> None:
    pages = {"/": ["Try it free.", "Boats are free."], "/pricing": ["Try it free."]}

    assert separate_repeated(pages) == {"Several pages": ["Try it free."], "/": ["Boats are free."]}


@pytest.mark.parametrize(
    ("body", "sentences"),
    [
        ("<p>Boats are free. Guests <b>never</b> pay!</p>", ["Boats are free.", "Guests never pay!"]),
        ("<p>See the <a href='/'>privacy page</a>.</p>", ["See the privacy page."]),
        ("<p>$<!-- -->20<span>/month</span></p>", ["$20/month"]),
        ("<ul><li>API access</li><li>Support</li></ul>", ["API access"]),
        ("<nav>Skip this menu</nav><p><a href='/'>Back to Blog</a></p><button>Send it now</button>", []),
        ("<header>Sign in here</header><main><header><p>By the team.</p></header></main>", ["By the team."]),
        ("<p>In <em>Dalury v. S-K-I</em> it was refused.</p>", ["In Dalury v. S-K-I it was refused."]),
        ("<pre>const free = true;</pre><script>let a = 1;</script>", []),
        ("<figcaption><span>Rosa Marín</span><span>Rio Rafting</span></figcaption>", ["Rosa Marín Rio Rafting"]),
    ],
)
def test_the_sentences_of_a_page_are_read(body: str, sentences: list[str]) -> None:
    assert sentences_of_html(html.document_fromstring(f"<html><body>{body}</body></html>")) == sentences


def test_the_description_of_a_page_is_read() -> None:
    page = html.document_fromstring("<html><head><meta name='description' content='We rent boats.'></head></html>")

    assert sentences_of_html(page) == ["We rent boats."]
