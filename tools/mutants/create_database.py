"""Creates an empty database with the SQL of the current folder, and fails if that is not possible."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from cairn.db import EmbeddedPostgres, migrate


def main() -> None:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        postgres = EmbeddedPostgres(Path(folder) / "cluster")
        with postgres.running():
            asyncio.run(migrate(postgres.url()))


if __name__ == "__main__":
    main()
