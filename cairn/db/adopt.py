"""Adopts databases that the first edition of Cairn created, before version 0.2.

In these databases, `cairn.migrations` contains one series of 42 migrations. Today each package has its own series.
"""

from collections.abc import Mapping, Sequence
from importlib import resources

from cairn.db.database import Connection
from cairn.db.errors import FirstEditionIncomplete
from cairn.db.schema_files import Migration, expand_directives


def is_first_edition(applied_hashes: Mapping[str, str]) -> bool:
    """Returns whether the database has exactly the migrations of the first edition.

    Raises `FirstEditionIncomplete` if only some of them were applied, or if their content has changed.
    """
    expected_hashes = _first_edition_hashes()
    first_edition_names = applied_hashes.keys() & expected_hashes.keys()
    if not first_edition_names:
        return False
    if any(applied_hashes.get(name) != sha256 for name, sha256 in expected_hashes.items()):
        raise FirstEditionIncomplete(count=len(first_edition_names), total=len(expected_hashes))
    return applied_hashes.keys() == expected_hashes.keys()


async def adopt_first_edition(connection: Connection, migrations: Sequence[Migration]) -> None:
    """Renames tables and columns to their current names and records the baseline migrations as applied.

    Must run inside a transaction.
    """
    await connection.execute(expand_directives((_folder() / "adopt.sql").read_text("utf-8")))
    # With an empty hash every object counts as changed, so it is then replaced by its current definition or dropped.
    await connection.executemany(
        "insert into cairn.definitions (object, sha256) values ($1, '')",
        [(name,) for name in _read_lines("objects.txt")],
    )
    await connection.execute("delete from cairn.migrations")
    await connection.executemany(
        "insert into cairn.migrations (name, sha256) values ($1, $2)",
        [(migration.name, migration.sha256) for migration in migrations if migration.name.endswith("/0001_baseline")],
    )


def _first_edition_hashes() -> dict[str, str]:
    return {name: sha256 for sha256, name in (line.split() for line in _read_lines("migrations.sha256"))}


def _read_lines(file: str) -> list[str]:
    return (_folder() / file).read_text("utf-8").splitlines()


def _folder() -> resources.abc.Traversable:
    return resources.files("cairn.db") / "first_edition"
