"""Another room is entered by its `__init__`; what lies behind it is the room's own affair."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.house.tree import ROOT, files, name, text


def test_other_rooms_are_entered_by_the_front_door() -> None:
    trespasses = [
        f"{name(path)}:{line} imports {module}"
        for path in files("cairn/*.py")
        for line, module in imported_modules(text(path))
        if climbs_through_a_window(room_of(path), module)
    ]

    assert trespasses == []


def test_a_window_is_told_from_a_door() -> None:
    assert climbs_through_a_window("waivers", "cairn.db.database")
    assert not climbs_through_a_window("waivers", "cairn.db")
    assert not climbs_through_a_window("db", "cairn.db.database")
    assert not climbs_through_a_window("waivers", "asyncpg.pool")


def imported_modules(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module or ""
            # `from cairn.db import database` fetches the file as well as `from cairn.db.database import …` does.
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names if _is_file(node, alias.name))


def _is_file(node: ast.ImportFrom, imported: str) -> bool:
    folder = ROOT.joinpath(*(node.module or "").split("."))
    return folder.is_dir() and ((folder / f"{imported}.py").is_file() or (folder / imported).is_dir())


def climbs_through_a_window(room: str, module: str) -> bool:
    package, _, rest = module.partition(".")
    other, _, inside = rest.partition(".")
    return package == "cairn" and inside != "" and other != room


def room_of(path: Path) -> str:
    return path.relative_to(ROOT / "cairn").parts[0].removesuffix(".py")
