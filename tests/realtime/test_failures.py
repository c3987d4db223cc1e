"""The change feed retries after its queries fail."""

import asyncio
import logging

import asyncpg
import pytest

from cairn.db import Database
from cairn.jobs import OutboxNotifier
from cairn.realtime import store
from cairn.realtime.change_feed import ChangeFeed
from cairn.realtime.channels import Channels


async def count_attempts(
    database: Database, notifier: OutboxNotifier, monkeypatch: pytest.MonkeyPatch, error: Exception, *, seconds: float
) -> int:
    """Returns how often the feed queries the database within `seconds` while each query raises `error`."""
    attempt_count = 0

    async def fail(_connection: object) -> None:
        nonlocal attempt_count
        attempt_count += 1
        raise error

    monkeypatch.setattr(store, "published_tables", fail)
    feed = ChangeFeed(database, notifier, Channels())
    with feed.keep_running():
        feed_task = asyncio.create_task(feed.run())
        for _ in range(10):
            await asyncio.sleep(seconds / 10)
            # Other commits must not make the feed retry sooner.
            notifier.notify()
        feed_task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await feed_task
    return attempt_count


async def test_a_mistake_in_sql_is_logged_as_an_error_and_retried_with_backoff(
    database: Database, notifier: OutboxNotifier, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    mistake = asyncpg.UndefinedColumnError("column e.payload does not exist")

    attempt_count = await count_attempts(database, notifier, monkeypatch, mistake, seconds=1.5)

    errors = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert len(errors) == attempt_count
    assert all(record.exc_info and record.exc_info[1] is mistake for record in errors)
    assert 2 <= attempt_count <= 3, "the feed waits 0.25, 0.5 and then 1 seconds before it tries again"


async def test_an_unreachable_database_is_logged_at_info_and_retried_soon(
    database: Database, notifier: OutboxNotifier, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    attempt_count = await count_attempts(database, notifier, monkeypatch, ConnectionResetError(), seconds=1.5)

    assert attempt_count >= 4
    assert {record.levelname for record in caplog.records if record.name == "cairn.realtime.change_feed"} == {"INFO"}
