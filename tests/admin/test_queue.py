"""The operator lists the jobs of the worker, and retries failed ones."""

import pytest

from cairn.admin.context import AdminContext
from cairn.admin.errors import JobsNotFailed
from cairn.admin.list_queue import list_queue
from cairn.admin.retry_queue import retry_queue
from cairn.db import Connection


@pytest.mark.accept("OPS-49")
async def test_failed_jobs_are_listed_and_tried_again(context: AdminContext, admin: Connection) -> None:
    failed_id, waiting_id = await _add_job(admin, "failed"), await _add_job(admin, "todo")

    everything = await list_queue(context, None, 50)
    failed = await list_queue(context, "failed", 50)
    await retry_queue(context, [failed_id])

    assert [row["state"] for row in everything.rows] == ["failed", "waiting"]
    assert [(row["id"], row["task"], row["tries"]) for row in failed.rows] == [(failed_id, "waivers.render", 10)]
    retried = await list_queue(context, "waiting", 50)
    assert [(row["id"], row["tries"]) for row in retried.rows] == [(failed_id, 0), (waiting_id, 9)]
    with pytest.raises(JobsNotFailed, match=f"id {waiting_id}"):
        await retry_queue(context, [waiting_id])


@pytest.mark.accept("OPS-49")
async def test_without_ids_all_failed_jobs_are_tried_again(context: AdminContext, admin: Connection) -> None:
    for _ in range(2):
        await _add_job(admin, "failed")

    report = await retry_queue(context, [])

    assert len(report.rows) == 2
    assert (await list_queue(context, "failed", 50)).rows == []


async def _add_job(admin: Connection, status: str) -> int:
    await admin.execute("set search_path = jobs")
    job_id: int = await admin.fetchval(
        """
        insert into procrastinate_jobs (queue_name, task_name, attempts, status, args)
        values ('cairn', 'waivers.render', 9, $1::procrastinate_job_status, '{"payload": {"company_id": "x"}}')
        returning id
        """,
        status,
    )
    return job_id
