"""Every table, view and function in the database follows the rules of row security.

A table without row security would show all its rows to every user who may read the table, so these tests query the
catalog of PostgreSQL itself.
"""

from typing import NamedTuple

import asyncpg
import pytest

NOT_A_SYSTEM_SCHEMA = "n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'"


class Rule(NamedTuple):
    """Combines a rule with a query for the names of the objects that break it, and SQL that creates one of them."""

    name: str
    query: str
    violation: str


RULES = [
    Rule(
        "every table has row security",
        f"""
        select c.oid::regclass::text as name
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ('r', 'p') and not c.relrowsecurity and {NOT_A_SYSTEM_SCHEMA}
        """,
        "create table public.unprotected (id int)",
    ),
    Rule(
        "a table that users may read or write has a policy that says which rows",
        """
        select distinct c.oid::regclass::text as name
          from pg_class c join pg_namespace n on n.oid = c.relnamespace,
               unnest(array['anon', 'authenticated']) as grantee (role),
               unnest(array['select', 'insert', 'update']) as granted (privilege)
         where c.relkind in ('r', 'p') and n.nspname = 'public'
           and (has_any_column_privilege(grantee.role, c.oid, granted.privilege)
                or has_table_privilege(grantee.role, c.oid, 'delete'))
           and not exists (select from pg_policy p
                            where p.polrelid = c.oid
                              and (p.polroles = '{0}' or grantee.role::regrole = any (p.polroles)))
        """,
        """
        create table public.without_policy (id int);
        alter table public.without_policy enable row level security;
        grant select on public.without_policy to anon
        """,
    ),
    Rule(
        "a view runs with the rights of the caller",
        f"""
        select c.oid::regclass::text as name
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ('v', 'm') and {NOT_A_SYSTEM_SCHEMA}
           and not coalesce(c.reloptions && array['security_invoker=true', 'security_invoker=on'], false)
        """,
        "create view public.owner_view as select 1 as id",
    ),
    Rule(
        "a function that runs with the rights of its owner does not use the search path of the caller",
        f"""
        select p.oid::regprocedure::text as name
          from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where p.prosecdef and {NOT_A_SYSTEM_SCHEMA}
           and not exists (select from unnest(p.proconfig) as setting where setting like 'search\\_path=%')
        """,
        "create function public.owner_function() returns int language sql security definer as 'select 1'",
    ),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
async def test_the_database_follows_the_rule(rule: Rule, admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    assert [row["name"] for row in await admin.fetch(rule.query)] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
async def test_a_violation_of_the_rule_is_found(rule: Rule, admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    await admin.execute(rule.violation)

    assert len(await admin.fetch(rule.query)) == 1
