"""FL6: a company with many signed heads does not delay the timestamps of other companies.

FL6 is a finding in docs/security.md.
"""

from cairn.db import SERVICE, Connection, Database
from cairn.kit import now
from cairn.waivers.documents.heads import store
from tests.people import Person

HEADS_PER_PASS = 10
ADD_HEADS = """
insert into waivers.chain_heads
       (company_id, number, at, session_count, waiver_count, event_count, entry_count, root, hash, signature,
        certificate, wants_timestamp)
select $1, number, now(), 1, 1, 1, 1, sha256('root'), sha256(number::text::bytea), 'signature', 'certificate', true
  from generate_series($2::int, $3::int) as number
"""
SKIP_IDS = (
    "select setval(pg_get_serial_sequence('waivers.chain_heads', 'id'), $1 + (select max(id) from waivers.chain_heads))"
)
COMPANIES_OF_TIMESTAMPS = (
    "select h.company_id from waivers.chain_heads h join waivers.head_timestamps t on t.head_id = h.id order by h.id"
)


async def timestamp_once(database: Database) -> int:
    """Stores timestamps for the heads that the worker would choose next, and returns their number."""
    async with database.acting_as(SERVICE) as connection:
        heads = await store.heads_without_timestamp(connection, limit=HEADS_PER_PASS)
        for head_id, _ in heads:
            await store.add_timestamp(connection, head_id, b"token", now())
    return len(heads)


async def test_fl6_companies_take_turns_for_the_timestamps_of_their_heads(
    database: Database, admin: Connection, rosa: Person, mallory: Person
) -> None:
    await admin.execute(ADD_HEADS, mallory.company, 1, 50)
    await admin.execute(ADD_HEADS, rosa.company, 1, 2)

    await timestamp_once(database)

    assert [row["company_id"] for row in await admin.fetch(COMPANIES_OF_TIMESTAMPS)] == [mallory.company] * 8 + [
        rosa.company
    ] * 2


async def test_fl6_no_head_is_forgotten_while_many_others_wait(
    database: Database, admin: Connection, rosa: Person, mallory: Person
) -> None:
    """The test skips many ids, as if other companies had heads with these ids."""
    await admin.execute(ADD_HEADS, mallory.company, 1, 25)
    for number in range(1, 4):
        await admin.fetchval(SKIP_IDS, 30_000)
        await admin.execute(ADD_HEADS, rosa.company, number, number)

    counts = [await timestamp_once(database) for _ in range(8)]

    assert sum(counts) == 28
    assert await admin.fetchval("select count(*) from waivers.head_timestamps") == 28
