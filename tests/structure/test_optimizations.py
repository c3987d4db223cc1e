"""Code that is harder to read because it is faster names the bench row that measures it."""

import ast

import pytest

from bench import shortcuts
from tests.structure.tree import ROOT, read_source


@pytest.mark.parametrize(("file", "row"), shortcuts.ROWS.items())
def test_each_optimization_names_its_bench_row(file: str, row: str) -> None:
    docstring = ast.get_docstring(ast.parse(read_source(ROOT / file))) or ""

    assert f'"{row}"' in " ".join(docstring.split())


@pytest.mark.parametrize("row", shortcuts.ROWS.values())
def test_each_row_is_measured(row: str) -> None:
    # A file that is named only once appears in the list `ROWS` itself, but is not measured.
    measured_in_shortcuts = {
        shortcuts.ROWS[file] for file in shortcuts.ROWS if read_source(ROOT / "bench/shortcuts.py").count(file) > 1
    }
    measured_in_documents = {row} if f'"{row}"' in read_source(ROOT / "bench/documents.py") else set()

    assert row in measured_in_shortcuts | measured_in_documents


def test_the_bench_measures_the_optimizations() -> None:
    assert "await shortcuts.measure(" in read_source(ROOT / "bench" / "__main__.py")
