"""A PostgreSQL cluster whose transaction counter is far ahead of that of a new one."""

from pathlib import Path

from cairn.db import EmbeddedPostgres

# One segment of the commit log has this many bytes.
_SEGMENT_BYTES = 256 * 1024


def create_cluster_ahead(data: Path, next_transaction: int = 500_000) -> EmbeddedPostgres:
    """Creates a stopped cluster whose next transaction has this number."""
    postgres = EmbeddedPostgres(data)
    with postgres.running():
        pass
    result = postgres.run("pg_resetwal", "-x", str(next_transaction), "-D", str(postgres.cluster_folder))
    assert result.returncode == 0, result.stdout
    # At its next start, the server reads the page of the commit log for the next transaction, so the page must exist.
    segment = postgres.cluster_folder / "pg_xact" / "0000"
    segment.write_bytes(segment.read_bytes().ljust(_SEGMENT_BYTES, b"\0"))
    return postgres
