"""Code that is harder to read because it is faster has a row in the bench."""

import ast

import pytest

from bench import shortcuts
from tests.structure.tree import ROOT, text


@pytest.mark.parametrize(("file", "row"), shortcuts.ROWS.items())
def test_each_optimization_names_its_bench_row(file: str, row: str) -> None:
    docstring = ast.get_docstring(ast.parse(text(ROOT / file))) or ""

    assert f'"{row}"' in " ".join(docstring.split())


@pytest.mark.parametrize("row", shortcuts.ROWS.values())
def test_each_row_is_measured(row: str) -> None:
    in_shortcuts = {
        shortcuts.ROWS[file] for file in shortcuts.ROWS if text(ROOT / "bench/shortcuts.py").count(file) > 1
    }
    in_documents = {row} if f'"{row}"' in text(ROOT / "bench/documents.py") else set()

    assert row in in_shortcuts | in_documents


def test_the_bench_measures_the_optimizations() -> None:
    assert "await shortcuts.measure(" in text(ROOT / "bench" / "__main__.py")
