"""7L1: the log of the embedded PostgreSQL contains no personal data, and strangers cannot fill the disk with it.

7L1 is a finding in docs/security.md.
"""

from pathlib import Path

import asyncpg
import pytest

from cairn.db import EmbeddedPostgres

FAILING_STATEMENTS = [
    "select 'Zebulon'::uuid",
    "do $$begin raise exception 'refused' using detail = 'Zebulon', hint = 'Zebulon'; end$$",
    "do $$begin raise warning 'Zebulon'; raise exception 'Zebulon'; end$$",
]


async def test_7l1_statements_that_fail_are_not_logged_and_a_long_log_is_cut(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(tmp_path / "data")
    with postgres.running():
        connection = await asyncpg.connect(postgres.url())
        for statement in FAILING_STATEMENTS:
            with pytest.raises(asyncpg.PostgresError):
                await connection.execute(statement)
        await connection.close()
    log = postgres.log_file.read_text()
    assert "database system is ready to accept connections" in log
    assert "Zebulon" not in log
    assert "ERROR" not in log

    postgres.log_file.write_text("an old line\n" * 200_000 + "PANIC: the reason why it ended\n")
    with postgres.running():
        pass

    log = postgres.log_file.read_text()
    assert len(log) < 200_000
    assert log.startswith("an old line\n")
    assert "PANIC: the reason why it ended\n" in log
    assert "database system is ready to accept connections" in log
