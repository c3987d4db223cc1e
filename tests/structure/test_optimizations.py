"""Code that is harder to read because it is faster names the bench row that measures it."""

import ast

import pytest

from bench import optimizations
from tests.structure.tree import ROOT, read_source


@pytest.mark.parametrize(("file", "row"), optimizations.ROWS.items())
def test_each_optimization_names_its_bench_row(file: str, row: str) -> None:
    docstring = ast.get_docstring(ast.parse(read_source(ROOT / file))) or ""

    assert f'"{row}"' in " ".join(docstring.split())


@pytest.mark.parametrize("row", optimizations.ROWS.values())
def test_each_row_is_measured(row: str) -> None:
    # A file that is named only once in bench/optimizations.py is named in `ROWS`, but is not measured.
    measured_in_optimizations = {
        optimizations.ROWS[file]
        for file in optimizations.ROWS
        if read_source(ROOT / "bench/optimizations.py").count(file) > 1
    }
    measured_in_documents = {row} if f'"{row}"' in read_source(ROOT / "bench/documents.py") else set()

    assert row in measured_in_optimizations | measured_in_documents


def test_the_bench_measures_the_optimizations() -> None:
    assert "await optimizations.measure(" in read_source(ROOT / "bench" / "__main__.py")
