from collections.abc import Sequence

from cairn.admin.context import AdminContext
from cairn.admin.errors import JobsNotFailed
from cairn.admin.report import Report
from cairn.jobs import retry_failed_jobs


async def retry_queue(context: AdminContext, ids: Sequence[int]) -> Report:
    """Tries these failed jobs again, or all failed jobs if there are no ids."""
    retried_ids = await retry_failed_jobs(context.database, ids or None)
    missing_ids = sorted(set(ids) - set(retried_ids))
    if missing_ids:
        raise JobsNotFailed(ids=", ".join(map(str, missing_ids)))
    rows = [{"id": job_id, "state": "waiting"} for job_id in retried_ids]
    return Report(rows, f"Failed jobs that are tried again: {len(rows)}.")
