"""A snapshot of PostgreSQL says which transactions were committed when it was taken."""

import pytest

from cairn.realtime.snapshot import Snapshot


@pytest.mark.parametrize(
    ("xid", "is_seen"),
    [(9, True), (10, False), (11, True), (12, False), (13, True), (14, False), (99, False)],
)
def test_a_snapshot_sees_committed_transactions(xid: int, is_seen: bool) -> None:
    assert Snapshot.parse("10:14:10,12").sees(xid) is is_seen


def test_a_snapshot_without_running_transactions_is_parsed() -> None:
    assert Snapshot.parse("10:10:") == Snapshot(10, 10, frozenset())
