import re

from cairn.db import shipped_migrations
from tests.structure.tree import ROOT

NAME = re.compile(r"(?P<number>\d{4})_(?P<room>[a-z]+)_[a-z0-9_]+")


def test_migrations_are_named_after_a_room_and_a_fact() -> None:
    names = [migration.name for migration in shipped_migrations()]
    rooms = {folder.name for folder in (ROOT / "cairn").iterdir() if folder.is_dir()}

    assert [name for name in names if NAME.fullmatch(name) is None] == []
    assert {match["room"] for name in names if (match := NAME.fullmatch(name))} <= rooms


def test_migrations_are_numbered_without_a_gap() -> None:
    numbers = [int(migration.name[:4]) for migration in shipped_migrations()]

    assert numbers == list(range(1, len(numbers) + 1))
