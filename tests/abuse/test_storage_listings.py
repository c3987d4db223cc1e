"""8W2: listing files reads no rows of others, however many documents all companies have.

8W2 is a finding in docs/security.md.
"""

from collections.abc import Awaitable, Callable

import pytest

from cairn.db import Connection, Database
from cairn.storage.store.listing import list_by_cursor, list_by_offset
from cairn.storage.store.objects import first_keys
from tests.people import Person

BUCKET = "signed-waivers"
ADD_OBJECTS = """
insert into storage.objects (bucket_id, name)
select 'signed-waivers', gen_random_uuid() || '/' || gen_random_uuid() || '.pdf' from generate_series(1, 500)
"""
ROWS_READ = """
select seq_tup_read + idx_tup_fetch
  from pg_stat_xact_user_tables
 where schemaname = 'storage' and relname = 'objects'
"""


async def by_offset(connection: Connection) -> object:
    return await list_by_offset(
        connection, BUCKET, "", search="", sort_column="created_at", descending=True, limit=100, offset=0
    )


async def by_cursor(connection: Connection) -> object:
    return await list_by_cursor(
        connection, BUCKET, "", group_folders=True, sort_column="name", descending=False, after=None, limit=100
    )


async def to_empty_the_bucket(connection: Connection) -> object:
    return await first_keys(connection, BUCKET, 1000)


@pytest.mark.parametrize("list_objects", [by_offset, by_cursor, to_empty_the_bucket])
@pytest.mark.parametrize("name", ["gil", "mallory"])
async def test_8w2_a_listing_reads_no_objects_of_others(
    database: Database,
    admin: Connection,
    gil: Person,
    mallory: Person,
    name: str,
    list_objects: Callable[[Connection], Awaitable[object]],
) -> None:
    """The test keeps PostgreSQL from reading the small table as a whole. Gil is a guest without a company."""
    async with admin.transaction():
        # The triggers are disabled, because the objects of this test have no blobs.
        await admin.execute("set local session_replication_role = replica")
        await admin.execute(ADD_OBJECTS)
    await admin.execute("analyze storage.objects")
    person = {"gil": gil, "mallory": mallory}[name]
    async with database.acting_as(person.principal, {"enable_seqscan": "off"}, read_only=True) as connection:
        assert not await list_objects(connection)
        rows_read = await connection.fetchval(ROWS_READ)
    assert rows_read < 100
