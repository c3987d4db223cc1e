"""docs/contract.md is written by hand; these tests compare it with the routes and the tests."""

import re

from cairn.functions.gateway import FUNCTIONS
from cairn.storage.routes import ROUTES
from tests.structure.tree import ROOT, text

DOCS = text(ROOT / "docs" / "contract.md")
ROUTE = re.compile(r'Route\("(?P<path>[^"]+)", \w+, methods=\["(?P<method>[A-Z]+)"\]\)')
REFERENCE = re.compile(r"`(?P<file>tests/[\w/.-]+)::(?P<test>[^`]+)`")


def test_every_route_of_auth_is_listed() -> None:
    routes = [route for path in (ROOT / "cairn" / "auth").rglob("routes.py") for route in ROUTE.findall(text(path))]

    assert len(routes) > 0
    assert [f"{method} /auth/v1{path}" for path, method in routes if f"`{method} /auth/v1{path}`" not in DOCS] == []


def test_every_route_of_storage_is_listed() -> None:
    routes = [f"{method} /storage/v1{path.replace(':path', '')}" for method, path, _ in ROUTES]

    assert [route for route in routes if f"`{route}`" not in DOCS] == []


def test_every_function_is_listed() -> None:
    assert [name for name in FUNCTIONS if f"/functions/v1/{name}`" not in DOCS] == []


def test_every_test_it_names_exists() -> None:
    references = list(REFERENCE.finditer(DOCS))
    missing = [reference[0] for reference in references if reference["test"] not in text(ROOT / reference["file"])]

    assert len(references) > 0
    assert missing == []
