"""I2: the limits count what the filters of a join really cost, however many tables the filters apply to.

I2 is a finding in docs/security.md.
"""

import time

import pytest

from cairn.realtime import RealtimeSettings
from cairn.realtime.join_config import Binding
from cairn.realtime.network_limits import NetworkLimits
from cairn.realtime.subscription import subscribe
from cairn.realtime.table import Column, Table
from tests.realtime.conftest import OpenClient, address, keyring, open_client, settings

__all__ = ["address", "keyring", "open_client", "settings"]

NETWORK = "198.51.100.7"
TABLE_COUNT = 20
LONGEST_FILTER = f"name=in.({','.join(['river'] * 650)})"
MAX_FILTERED_TABLES = 200


def table(number: int) -> Table:
    columns = (Column("name", "text", "name", "text", frozenset({"anon"})),)
    return Table("public", f"trips {number}", "public.trips", frozenset({"INSERT"}), False, None, ("name",), columns)


def shortest_seconds(table_count: int) -> float:
    """Returns the processor time of a subscription to all tables. The shortest of several is the least disturbed."""
    tables = [table(number) for number in range(table_count)]
    binding = Binding(event="INSERT", schema="*", table="*", filter=LONGEST_FILTER, original={})
    seconds = []
    for _ in range(10):
        started_at = time.thread_time()
        assert len(subscribe(binding, tables).tables) == table_count
        seconds.append(time.thread_time() - started_at)
    return min(seconds)


def test_i2_the_text_of_a_filter_is_parsed_once_for_all_tables() -> None:
    assert shortest_seconds(TABLE_COUNT) < 3 * shortest_seconds(1)


@pytest.mark.parametrize("wait", [True, False])
async def test_i2_a_join_with_too_many_filters_for_all_tables_is_refused(open_client: OpenClient, wait: bool) -> None:
    """The server refuses it before it parses the filters, even if it would report wrong filters only after the join."""
    filters = [{"event": "*", "schema": "*", "table": "*", "filter": f"id=eq.river {n}"} for n in range(100)]
    async with open_client() as client:
        reply = await client.join(*filters, postgres_changes_options={"wait": wait})

    assert reply["status"] == "error"
    assert f"its filters apply to more than {MAX_FILTERED_TABLES} tables" in reply["response"]["reason"]


@pytest.mark.parametrize(("characters", "is_slowed"), [(100_000, False), (10_000_000, True)])
def test_i2_the_length_of_filters_uses_up_the_units_of_their_network(characters: int, is_slowed: bool) -> None:
    limits = NetworkLimits(RealtimeSettings())

    limits.count_filters(NETWORK, 1, characters)

    assert (limits.take_message(NETWORK) is not None) is is_slowed
