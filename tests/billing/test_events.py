"""When a plan is bought, the worker ends the previous plan, and new members of the company are subscribed."""

import asyncio

from cairn.billing import jobs
from cairn.db import Connection, Database
from cairn.jobs import OutboxNotifier
from tests.billing.conftest import BillingClient
from tests.billing.stripe import FakeStripe
from tests.running_worker import worker_running
from tests.waiting import PATIENCE_SECONDS


async def test_the_worker_ends_a_plan_that_was_replaced(
    stripe_client: BillingClient, stripe: FakeStripe, database: Database, login_url: str, notifier: OutboxNotifier
) -> None:
    async with worker_running(database, login_url, notifier, extra_jobs=jobs(stripe_client.billing)):
        for amount in (2000, 4000):
            await stripe_client.buy_at_stripe(stripe, "rosa", amount)

        async with asyncio.timeout(PATIENCE_SECONDS):
            while subscription_statuses(stripe) != ["canceled", "active"]:  # noqa: ASYNC110 - the fake sends no event
                await asyncio.sleep(0.05)


def subscription_statuses(stripe: FakeStripe) -> list[str]:
    return [subscription["status"] for subscription in stripe.subscriptions.values()]


async def test_a_new_member_of_a_paying_company_is_subscribed(sandbox_client: BillingClient, admin: Connection) -> None:
    await sandbox_client.pay(await sandbox_client.open_checkout("rosa", 2000))

    await admin.execute("insert into auth.sessions (user_id) select id from profiles where name = 'Bea Lindt'")

    assert await admin.fetchval(
        "select subscribed from billing.trials t join profiles p on p.id = t.user_id where p.name = 'Bea Lindt'"
    )
