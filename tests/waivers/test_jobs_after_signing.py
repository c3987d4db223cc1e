"""A signature causes only the jobs that have something to do. Each job costs the worker several queries."""

from cairn.db import Connection, Database
from cairn.integrations import jobs as integration_jobs
from cairn.jobs import dispatch
from cairn.messaging import PushSender
from cairn.waivers import DocumentContext
from cairn.waivers import jobs as waiver_jobs
from tests.abuse.test_signing_notifications import subscribe
from tests.factories import make_session, sign
from tests.messaging.push_service import open_push_service
from tests.people import Person

ALWAYS = {"waivers.notify_company", "waivers.prepare_document"}
ADD_ENDPOINT = """
insert into integrations.endpoints (company_id, kind, name, url) values ($1, 'zapier', 'Zapier', 'https://hooks.zapier.com/x')
"""


async def test_pushes_and_webhooks_cause_jobs_only_for_companies_that_have_them(
    database: Database, admin: Connection, documents: DocumentContext, rosa: Person, mallory: Person
) -> None:
    async with open_push_service() as service:
        push_sender = PushSender(service.settings, "waivers@waivers.example")
        all_jobs = [*integration_jobs(database), *waiver_jobs(database, documents, documents.seal, push_sender)]

        async def jobs_after_signing(person: Person) -> set[str]:
            newest = await admin.fetchval("select coalesce(max(id), 0) from jobs.procrastinate_jobs")
            await sign(database, await make_session(database, person))
            await dispatch(database, all_jobs)
            rows = await admin.fetch("select task_name from jobs.procrastinate_jobs where id > $1", newest)
            return {row["task_name"] for row in rows}

        assert await jobs_after_signing(rosa) == ALWAYS
        await subscribe(admin, rosa, service.browser("rosa"))
        assert await jobs_after_signing(rosa) == {*ALWAYS, "waivers.push_to_company"}
        await admin.execute(ADD_ENDPOINT, rosa.company)
        assert await jobs_after_signing(rosa) == {*ALWAYS, "waivers.push_to_company", "integrations.add_deliveries"}
        await admin.execute("update integrations.endpoints set paused = true")
        assert await jobs_after_signing(rosa) == {*ALWAYS, "waivers.push_to_company"}
        assert await jobs_after_signing(mallory) == ALWAYS
