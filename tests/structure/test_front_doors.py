"""Another room is entered by its `__init__`; what lies behind it is the room's own affair."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.structure.tree import ROOT, files, name, text


def test_other_rooms_are_entered_by_the_front_door() -> None:
    trespasses = [
        f"{name(path)}:{line} imports {module}"
        for path in files("*.py")
        if path.is_relative_to(ROOT / "cairn")
        for line, module in imported_modules(text(path))
        if climbs_through_a_window(room_of(path), module)
    ]

    assert trespasses == []


def test_a_window_is_told_from_a_door() -> None:
    assert climbs_through_a_window("waivers", "cairn.db.database")
    assert not climbs_through_a_window("waivers", "cairn.db")
    assert not climbs_through_a_window("db", "cairn.db.database")
    assert not climbs_through_a_window("waivers", "asyncpg.pool")
    assert (1, "cairn.db.database") in imported_modules("from cairn.db import database")
    assert (1, "cairn.jobs.dispatch") not in imported_modules("from cairn.jobs import dispatch")


def imported_modules(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield node.lineno, module
            # `from cairn.db import database` fetches the file just as `from cairn.db.database import …` does.
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names if is_file(module, alias.name))


def is_file(module: str, imported: str) -> bool:
    """Unless the front door hands out something of the same name, as with `dispatch` from `dispatch.py`."""
    folder = ROOT.joinpath(*module.split("."))
    if imported in handed_out(folder / "__init__.py"):
        return False
    return (folder / f"{imported}.py").is_file()


def handed_out(door: Path) -> set[str]:
    if not door.is_file():
        return set()
    imports = (node for node in ast.walk(ast.parse(text(door))) if isinstance(node, ast.ImportFrom))
    return {alias.asname or alias.name for node in imports for alias in node.names}


def climbs_through_a_window(room: str, module: str) -> bool:
    package, _, rest = module.partition(".")
    other, _, inside = rest.partition(".")
    return package == "cairn" and inside != "" and other != room


def room_of(path: Path) -> str:
    return path.relative_to(ROOT / "cairn").parts[0].removesuffix(".py")
