"""Creates an empty database with the SQL of the current folder, and fails if that is not possible.

`python -m tools.mutants.create_database FOLDER` leaves the stopped cluster in `FOLDER/postgres`, so that the plugin
`prepared_cluster` can copy it. Without a folder, the cluster is removed.
"""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from cairn.db import EmbeddedPostgres, migrate


def main(arguments: Sequence[str]) -> None:
    if arguments:
        _create_in(Path(arguments[0]))
        return
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        _create_in(Path(folder) / "cluster")


def _create_in(folder: Path) -> None:
    postgres = EmbeddedPostgres(folder)
    with postgres.running():
        asyncio.run(migrate(postgres.url()))


if __name__ == "__main__":
    main(sys.argv[1:])
