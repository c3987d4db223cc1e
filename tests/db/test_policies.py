import re

import asyncpg

# As Postgres writes a scalar subquery: asked once for the whole statement, and not again for every row.
ONCE = re.compile(r"\( ?SELECT [a-z_.]+\(\) AS \w+\)")
CALLS = re.compile(r"\b(auth\.(uid|jwt|role)|accounts\.my_company)\(\)")


async def test_policies_ask_who_is_calling_once_a_statement(admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    policies = await admin.fetch("""
        select polrelid::regclass::text || ': ' || polname as name,
               concat_ws(' and ', pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) as rule
          from pg_policy
    """)
    assert len(policies) > 20
    each_row = [policy["name"] for policy in policies if CALLS.search(ONCE.sub("", policy["rule"]))]
    assert each_row == []
