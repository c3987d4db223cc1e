"""Each acceptance row that a test names exists, and docs/acceptance.md is up to date."""

import ast

from tests.structure.tree import read_source
from tools import acceptance


def test_every_id_in_a_test_is_an_acceptance_row() -> None:
    rows = {row for section in acceptance.read_sections() for row in section.rows}

    assert len(rows) == 451
    assert [proof for proof in acceptance.find_proofs(acceptance.ROOT) if proof.row not in rows] == []


def test_the_docs_are_up_to_date() -> None:
    expected = acceptance.render(acceptance.read_sections(), acceptance.find_proofs(acceptance.ROOT))

    assert read_source(acceptance.DOCS) == expected, "run `make acceptance`"


def test_ids_are_read_from_markers() -> None:
    [test] = ast.parse('@pytest.mark.accept("REST-05", "REST-06")\nasync def test_something(): ...').body

    assert isinstance(test, ast.AsyncFunctionDef)
    assert list(acceptance.accepted_rows(test)) == ["REST-05", "REST-06"]


def test_ids_are_read_from_titles() -> None:
    source = """
        test("UX-01 a toast stays five seconds", () => {});
        it.each(rows)('SIGN-02: it\\'s signed', () => {});
        const other = "UX-99 in a string that is not a title";
    """

    assert acceptance.find_titles(source) == ["UX-01 a toast stays five seconds", "SIGN-02: it\\'s signed"]
