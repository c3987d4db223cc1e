"""What follows from an event of billing, done by the worker."""

import asyncio

from cairn.billing import jobs
from cairn.db import Connection, Database
from cairn.jobs import OutboxNotifier
from tests.billing.conftest import Counter
from tests.billing.stripe import FakeStripe
from tests.running_worker import worker_running


async def test_the_worker_ends_a_plan_that_was_replaced(
    at_stripe: Counter, stripe: FakeStripe, database: Database, login_url: str, notifier: OutboxNotifier
) -> None:
    async with worker_running(database, login_url, notifier, more=jobs(at_stripe.billing)):
        for amount in (2000, 4000):
            await at_stripe.buys("rosa", amount)
            for body in stripe.pays(list(stripe.sessions)[-1]):
                await at_stripe.tells(body)

        async with asyncio.timeout(15):
            while [one["status"] for one in stripe.subscriptions.values()] != ["canceled", "active"]:  # noqa: ASYNC110 - Stripe's state has no event
                await asyncio.sleep(0.05)


async def test_a_new_member_of_a_paying_company_is_subscribed(in_sandbox: Counter, admin: Connection) -> None:
    await in_sandbox.types(await in_sandbox.buys("rosa", 2000))

    await admin.execute("insert into auth.sessions (user_id) select id from profiles where name = 'Bea Lindt'")

    assert await admin.fetchval(
        "select subscribed from billing.trials t join profiles p on p.id = t.user_id where p.name = 'Bea Lindt'"
    )
