"""A table without a policy leaks its first row, so these tests query the catalog itself."""

from collections.abc import Awaitable, Callable

import asyncpg
import pytest

OURS = "n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'"
PEOPLE = ["anon", "authenticated"]


async def unguarded_tables(admin: "asyncpg.Connection[asyncpg.Record]") -> list[str]:
    return await names(
        admin,
        f"""
        select c.oid::regclass::text as name
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ('r', 'p') and not c.relrowsecurity and {OURS}
    """,
    )


async def tables_open_without_a_policy(admin: "asyncpg.Connection[asyncpg.Record]") -> list[str]:
    """Readable or writable by users, with row security but no policy that says which rows."""
    return await names(
        admin,
        """
        select distinct c.oid::regclass::text as name
          from pg_class c join pg_namespace n on n.oid = c.relnamespace,
               unnest($1::text[]) as person (role),
               unnest(array['select', 'insert', 'update']) as act (verb)
         where c.relkind in ('r', 'p') and n.nspname = 'public'
           and (has_any_column_privilege(person.role, c.oid, act.verb)
                or has_table_privilege(person.role, c.oid, 'delete'))
           and not exists (select from pg_policy p
                            where p.polrelid = c.oid
                              and (p.polroles = '{0}' or person.role::regrole = any (p.polroles)))
    """,
        PEOPLE,
    )


async def views_with_their_owners_rights(admin: "asyncpg.Connection[asyncpg.Record]") -> list[str]:
    return await names(
        admin,
        f"""
        select c.oid::regclass::text as name
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ('v', 'm') and {OURS}
           and not coalesce(c.reloptions && array['security_invoker=true', 'security_invoker=on'], false)
    """,
    )


async def functions_that_trust_the_search_path(admin: "asyncpg.Connection[asyncpg.Record]") -> list[str]:
    """A function that runs with its owner's rights and resolves names by a search path that the caller chose."""
    return await names(
        admin,
        f"""
        select p.oid::regprocedure::text as name
          from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where p.prosecdef and {OURS}
           and not exists (select from unnest(p.proconfig) as setting where setting like 'search\\_path=%')
    """,
    )


async def names(admin: "asyncpg.Connection[asyncpg.Record]", query: str, *values: object) -> list[str]:
    return [record["name"] for record in await admin.fetch(query, *values)]


RULES = {
    "create table public.lost (id int)": unguarded_tables,
    "create table public.shown (id int); alter table public.shown enable row level security; "
    "grant select on public.shown to anon": tables_open_without_a_policy,
    "create view public.seen as select 1 as id": views_with_their_owners_rights,
    "create function public.risky() returns int language sql security definer as 'select 1'":
        functions_that_trust_the_search_path,
}  # fmt: skip


Rule = Callable[["asyncpg.Connection[asyncpg.Record]"], Awaitable[list[str]]]


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.__name__)
async def test_there_are_no(rule: Rule, admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    assert await rule(admin) == []


@pytest.mark.parametrize(("mistake", "rule"), RULES.items(), ids=lambda part: getattr(part, "__name__", ""))
async def test_the_rule_notices_a_mistake(
    mistake: str, rule: Rule, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    await admin.execute(mistake)

    assert len(await rule(admin)) == 1
