"""docs/contract.md lists every route, and the tests that the docs name exist."""

import re

import pytest

from cairn.functions.gateway import FUNCTIONS
from cairn.storage.routes import ROUTES
from tests.structure.tree import ROOT, read_source

DOCS = read_source(ROOT / "docs" / "contract.md")
AUTH_ROUTE = re.compile(r'^@ROUTES\.(?P<method>\w+)\("(?P<path>[^"]+)"\)$', re.MULTILINE)
TEST_REFERENCE = re.compile(r"`(?P<file>tests/[\w/.-]+)::(?P<test>[^`]+)`")


def test_every_route_of_auth_is_listed() -> None:
    routes = [
        f"{route['method'].upper()} /auth/v1{route['path']}"
        for path in (ROOT / "cairn" / "auth").rglob("routes.py")
        for route in AUTH_ROUTE.finditer(read_source(path))
    ]

    assert len(routes) > 0
    assert [route for route in routes if f"`{route}`" not in DOCS] == []


def test_every_route_of_storage_is_listed() -> None:
    routes = [f"{method} /storage/v1{path.replace(':path', '')}" for method, path, _ in ROUTES]

    assert [route for route in routes if f"`{route}`" not in DOCS] == []


def test_every_function_is_listed() -> None:
    assert [name for name in FUNCTIONS if f"/functions/v1/{name}`" not in DOCS] == []


@pytest.mark.parametrize("page", ["contract.md", "security.md"])
def test_every_test_that_the_docs_name_exists(page: str) -> None:
    references = list(TEST_REFERENCE.finditer(read_source(ROOT / "docs" / page)))
    missing_references = [
        reference[0] for reference in references if reference["test"] not in read_source(ROOT / reference["file"])
    ]

    assert len(references) > 0
    assert missing_references == []


def test_every_finding_that_a_test_names_is_explained() -> None:
    """A name such as `test_h1_…` or `test_10a2_…` contains the id of a finding, which docs/security.md explains.

    H4 has three parts, so its tests also begin with `test_h4a_…` to `test_h4c_…`.
    """
    explained_findings = re.findall(
        r"^\| (\d*[A-Z]{1,2}\d+) \|.*$", read_source(ROOT / "docs" / "security.md"), re.MULTILINE
    )
    named_findings = {
        finding.upper()
        for path in (ROOT / "tests").rglob("test_*.py")
        for finding in re.findall(r"def test_(\d*[a-z]{1,2}\d+)[a-c]?_", read_source(path))
    }

    assert {"H1", "C3", "AL7", "8EL1", "10A2", "16B4", "16L11"} <= named_findings
    assert len(named_findings) > 150
    assert named_findings - set(explained_findings) == set()


def test_every_file_in_the_list_of_findings_exists() -> None:
    files = re.findall(r"`(tests/[\w/]+\.py)`", read_source(ROOT / "docs" / "security.md"))

    assert len(files) > 20
    assert [file for file in files if not (ROOT / file).is_file()] == []
