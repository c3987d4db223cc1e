"""Removes old rows in batches, so that no transaction locks many rows for long."""

from cairn.db.database import Database
from cairn.db.principal import SERVICE

BATCH_SIZE = 1000
# At most this many batches run in one sweep. The next sweep goes on.
MAX_BATCHES = 100


def delete_old_rows(table: str, time_column: str = "created_at") -> str:
    """Returns a statement for `run_in_batches` that deletes rows older than its second parameter."""
    return f"""
        with old as (
            select ctid as row_id from {table}
             where {time_column} < now() - $2::interval limit $1 for update skip locked),
        deleted as (
            delete from {table} t using old where t.ctid = old.row_id returning 1)
        select count(*) from deleted
    """


async def run_in_batches(database: Database, statement: str, *values: object, batch_size: int | None = None) -> int:
    """Runs the statement until it has nothing left to do, but at most `MAX_BATCHES` times, each in its own transaction.

    The statement returns how many rows it has handled. Its first parameter is the largest number that it may handle,
    and `values` are its other parameters. Returns how many rows were handled in total.
    """
    batch_size = batch_size or BATCH_SIZE
    total_count = 0
    for _ in range(MAX_BATCHES):
        async with database.acting_as(SERVICE) as connection:
            count: int = await connection.fetchval(statement, batch_size, *values)
        total_count += count
        if count < batch_size:
            break
    return total_count
