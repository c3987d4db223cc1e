"""A package is imported through its `__init__`; its modules are private."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.structure.tree import ROOT, read_source, relative_name, source_files


def test_other_packages_are_imported_through_their_init() -> None:
    violations = [
        f"{relative_name(path)}:{line} imports {module}"
        for path in source_files("*.py")
        if path.is_relative_to(ROOT / "cairn")
        for line, module in imported_modules(read_source(path))
        if is_private_import(package_of(path), module)
    ]

    assert violations == []


def test_private_modules_are_recognized() -> None:
    assert is_private_import("waivers", "cairn.db.database")
    assert not is_private_import("waivers", "cairn.db")
    assert not is_private_import("db", "cairn.db.database")
    assert not is_private_import("waivers", "asyncpg.pool")
    assert (1, "cairn.db.database") in imported_modules("from cairn.db import database")
    assert (1, "cairn.jobs.dispatch") not in imported_modules("from cairn.jobs import dispatch")


def imported_modules(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield node.lineno, module
            # `from cairn.db import database` imports a module, like `from cairn.db.database import …`.
            yield from (
                (node.lineno, f"{module}.{alias.name}") for alias in node.names if is_module(module, alias.name)
            )


def is_module(module: str, imported: str) -> bool:
    """Returns whether `imported` is a module. A name that the package exports, such as `dispatch`, is not a module."""
    folder = ROOT.joinpath(*module.split("."))
    if imported in exported_names(folder / "__init__.py"):
        return False
    return (folder / f"{imported}.py").is_file()


def exported_names(init: Path) -> set[str]:
    if not init.is_file():
        return set()
    imports = (node for node in ast.walk(ast.parse(read_source(init))) if isinstance(node, ast.ImportFrom))
    return {alias.asname or alias.name for node in imports for alias in node.names}


def is_private_import(importing_package: str, module: str) -> bool:
    match module.split("."):
        case ["cairn", package, _, *_]:
            return package != importing_package
    return False


def package_of(path: Path) -> str:
    return path.relative_to(ROOT / "cairn").parts[0].removesuffix(".py")
