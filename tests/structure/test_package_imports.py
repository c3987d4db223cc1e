"""A package is imported through its `__init__`; the modules behind it are private."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.structure.tree import ROOT, files, name, text


def test_other_packages_are_imported_through_their_init() -> None:
    violations = [
        f"{name(path)}:{line} imports {module}"
        for path in files("*.py")
        if path.is_relative_to(ROOT / "cairn")
        for line, module in imported_modules(text(path))
        if reaches_inside(package_of(path), module)
    ]

    assert violations == []


def test_a_private_module_is_distinguished_from_a_package() -> None:
    assert reaches_inside("waivers", "cairn.db.database")
    assert not reaches_inside("waivers", "cairn.db")
    assert not reaches_inside("db", "cairn.db.database")
    assert not reaches_inside("waivers", "asyncpg.pool")
    assert (1, "cairn.db.database") in imported_modules("from cairn.db import database")
    assert (1, "cairn.jobs.dispatch") not in imported_modules("from cairn.jobs import dispatch")


def imported_modules(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield node.lineno, module
            # `from cairn.db import database` imports the module, as `from cairn.db.database import …` does.
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names if is_file(module, alias.name))


def is_file(module: str, imported: str) -> bool:
    """Unless the package exports something of the same name, such as `dispatch` from `dispatch.py`."""
    folder = ROOT.joinpath(*module.split("."))
    if imported in exported_by(folder / "__init__.py"):
        return False
    return (folder / f"{imported}.py").is_file()


def exported_by(init: Path) -> set[str]:
    if not init.is_file():
        return set()
    imports = (node for node in ast.walk(ast.parse(text(init))) if isinstance(node, ast.ImportFrom))
    return {alias.asname or alias.name for node in imports for alias in node.names}


def reaches_inside(own: str, module: str) -> bool:
    package, _, rest = module.partition(".")
    other, _, inside = rest.partition(".")
    return package == "cairn" and inside != "" and other != own


def package_of(path: Path) -> str:
    return path.relative_to(ROOT / "cairn").parts[0].removesuffix(".py")
