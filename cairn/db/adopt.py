"""Adopts databases of the first edition, whose ledger holds 42 numbered migrations of all packages together."""

from collections.abc import Mapping, Sequence
from importlib import resources

from cairn.db.database import Connection
from cairn.db.errors import FirstEditionIncomplete
from cairn.db.schema_files import Migration, expand_directives


def is_first_edition(applied: Mapping[str, str]) -> bool:
    """Refuses a database that stopped halfway through the first edition."""
    expected = _first_edition()
    known = applied.keys() & expected.keys()
    if not known:
        return False
    if any(applied.get(name) != sha256 for name, sha256 in expected.items()):
        raise FirstEditionIncomplete(count=len(known), total=len(expected))
    return applied.keys() == expected.keys()


async def adopt_first_edition(connection: Connection, shipped: Sequence[Migration]) -> None:
    """Rename what was renamed and enter the baselines into the ledger. Must run inside a transaction."""
    await connection.execute(expand_directives((_folder() / "adopt.sql").read_text("utf-8")))
    # Recorded without a hash, so that each is replaced by the definition of today, or dropped if there is none.
    await connection.executemany(
        "insert into cairn.definitions (object, sha256) values ($1, '')", [(name,) for name in _lines("objects.txt")]
    )
    await connection.execute("delete from cairn.migrations")
    await connection.executemany(
        "insert into cairn.migrations (name, sha256) values ($1, $2)",
        [(migration.name, migration.sha256) for migration in shipped if migration.name.endswith("/0001_baseline")],
    )


def _first_edition() -> dict[str, str]:
    return {name: sha256 for sha256, name in (line.split() for line in _lines("migrations.sha256"))}


def _lines(file: str) -> list[str]:
    return (_folder() / file).read_text("utf-8").splitlines()


def _folder() -> resources.abc.Traversable:
    return resources.files("cairn.db") / "first_edition"
