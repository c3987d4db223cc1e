import re

import asyncpg

# PostgreSQL prints a scalar subquery like this. It is evaluated once per statement, not for every row.
SCALAR_SUBQUERY = re.compile(r"\( ?SELECT [a-z_.]+\(\) AS \w+\)")
CALLER_FUNCTIONS = re.compile(r"\b(auth\.(uid|jwt|role)|accounts\.my_company)\(\)")


async def test_policies_look_the_caller_up_once_per_statement(admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    policies = await admin.fetch("""
        select polrelid::regclass::text || ': ' || polname as name,
               concat_ws(' and ', pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) as rule
          from pg_policy
    """)
    assert len(policies) > 20
    called_for_each_row = [
        policy["name"] for policy in policies if CALLER_FUNCTIONS.search(SCALAR_SUBQUERY.sub("", policy["rule"]))
    ]
    assert called_for_each_row == []
