"""The monthly limit is the only difference between the plans that is enforced."""

import pytest

from cairn.db import Connection, Database
from tests.billing.conftest import BillingClient, plan_of
from tests.billing.test_allowance import BASIC_PRICE_CENTS, PROFESSIONAL_PRICE_CENTS, send
from tests.factories import make_session, make_template, sign
from tests.people import Person
from tests.structure.tree import read_source, relative_name, source_files

# All SQL functions that read the plan of a company, directly or by calling another one of these functions.
FUNCTIONS_THAT_READ_THE_PLAN = {
    "billing.count_sending",
    "billing.covered_waivers",
    "billing.allowance_is_used_up",
    "billing.plan_of",
    "waiver_allowance",
    "waivers.reminder_candidates",
}
# Without a plan, a company sends fewer emails a day, which protects strangers from spam. Both plans allow the same.
FILE_THAT_READS_THE_PLAN = "cairn/billing/allowance.py"


@pytest.fixture(autouse=True)
def _return_before_the_email_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cairn.functions.email_outcome._WAIT_SECONDS", 0.01)


@pytest.mark.accept("PLAN-08")
async def test_nothing_but_the_monthly_limit_depends_on_the_plan(admin: Connection) -> None:
    functions = await admin.fetch(
        r"""
        select p.oid::regproc::text as name
          from pg_proc p
         where p.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema') and p.prokind = 'f'
           and pg_get_functiondef(p.oid) ~ '(plan_of|covered_waivers|allowance_is_used_up)\('
        """
    )
    policies = await admin.fetch("select policyname from pg_policies where concat(qual, with_check) ~* 'plan|covered'")
    python_files = [
        relative_name(path)
        for path in source_files("*.py")
        if relative_name(path).startswith("cairn/") and "plan_of(" in read_source(path)
    ]

    assert {function["name"] for function in functions} == FUNCTIONS_THAT_READ_THE_PLAN
    assert policies == []
    assert python_files == [FILE_THAT_READS_THE_PLAN]


@pytest.mark.accept("PLAN-08")
@pytest.mark.parametrize(
    ("plan", "cents"), [(None, 0), ("basic", BASIC_PRICE_CENTS), ("professional", PROFESSIONAL_PRICE_CENTS)]
)
async def test_a_company_can_do_the_same_with_each_plan(
    sandbox_client: BillingClient, database: Database, admin: Connection, rosa: Person, plan: str | None, cents: int
) -> None:
    if plan:
        await sandbox_client.pay(await sandbox_client.open_checkout("rosa", cents))
    assert await plan_of(admin, rosa) == plan

    session = await make_session(database, rosa, await make_template(database, rosa))
    statuses = [
        (await send(sandbox_client, session, attachment_type)).status_code for attachment_type in ("link", "pdf")
    ]
    async with database.acting_as(rosa.principal) as connection:
        reminder_count = await connection.fetchval("select send_reminders($1)", [session])
        await connection.execute("update companies set reminder_first_days = 2, link_days = 60, framed_by = '{}'")
    await sign(database, session)
    async with database.acting_as(rosa.principal) as connection:
        signed = await connection.fetch("select signer_name from signed_waivers")

    assert (statuses, reminder_count, len(signed)) == ([202, 202], 1, 1)
