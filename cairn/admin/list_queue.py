from cairn.admin.context import AdminContext
from cairn.admin.report import Report
from cairn.jobs import JOB_STATES, stored_jobs


async def list_queue(context: AdminContext, state: str | None, limit: int) -> Report:
    jobs = await stored_jobs(context.database, [state] if state else list(JOB_STATES), limit)
    return Report(
        [
            {
                "id": job.id,
                "task": job.task,
                "queue": job.queue,
                "state": job.state,
                "tries": job.tries,
                "company": job.company_id,
                "queued_at": job.queued_at,
                "due_at": job.due_at,
            }
            for job in jobs
        ]
    )
