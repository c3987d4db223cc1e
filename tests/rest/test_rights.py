"""What the access matrix cannot see by asking for rows: rights, functions, and ways around the policies."""

import json
from typing import Any

import asyncpg
import pytest

from tests.rest.conftest import Client
from tests.rest.sample_rows import MARK, Relation, own_id
from tests.rest.test_access_matrix import STRANGERS, Cast, _contents, cast, held, house, kim

__all__ = ["cast", "held", "house", "kim"]

PEOPLE = "unnest(array['anon', 'authenticated']) as who"

# Each finds what must not be; a new table, view or function that is careless shows up by its name.
FORBIDDEN = {
    "a table without row-level security": """
        select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relrowsecurity""",
    "a view that shows what its owner sees": """
        select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'public' and c.relkind in ('v', 'm')
           and not coalesce('security_invoker=true' = any (c.reloptions), false)""",
    "a policy for everybody who will ever be": """
        select tablename || ': ' || policyname from pg_policies
         where schemaname = 'public' and 'public' = any (roles)""",
    "a right that has nothing to do with rows": f"""
        select who || ' ' || what || ' ' || c.oid::regclass from pg_class c, {PEOPLE},
               unnest(array['truncate', 'references', 'trigger']) as what
         where c.relkind in ('r', 'v', 'm', 'p', 'f') and c.relnamespace <> 'pg_catalog'::regnamespace
           and has_table_privilege(who, c.oid, what)""",
    "a table of which people may write any column": f"""
        select who || ' ' || what || ' ' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace,
               {PEOPLE}, unnest(array['insert', 'update']) as what
         where n.nspname = 'public' and c.relkind in ('r', 'p') and has_table_privilege(who, c.oid, what)""",
    "a sequence people may turn": f"""
        select c.relname from pg_class c, {PEOPLE}
         where c.relkind = 'S' and has_sequence_privilege(who, c.oid, 'usage, update')""",
    "a schema people may build in": f"""
        select who || ' ' || nspname from pg_namespace, {PEOPLE} where has_schema_privilege(who, oid, 'create')""",
    "a function offered to all without being granted": """
        select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where n.nspname = 'public' and (p.proacl is null or exists (
               select from aclexplode(p.proacl) as acl where acl.grantee = 0))""",
    "a function that acts as its owner and looks where it is told": """
        select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where n.nspname !~ '^(pg_|information_schema$|jobs$)' and p.prosecdef
           and not coalesce(array_to_string(p.proconfig, ' ') ~ 'search_path=', false)""",
    "a table people of which hear by realtime without asking": "select tablename from pg_publication_tables",
}


@pytest.mark.parametrize(("what", "query"), FORBIDDEN.items(), ids=FORBIDDEN)
async def test_nobody_was_given_more_than_rows(
    admin: "asyncpg.Connection[asyncpg.Record]", what: str, query: str
) -> None:
    assert [row[0] for row in await admin.fetch(query)] == [], what


async def test_carelessness_is_found(admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    await admin.execute("""
        create table public.careless (id serial primary key, words text);
        create policy "all" on public.careless using (true);
        grant all on public.careless, public.careless_id_seq to anon;
        create view public.glimpse as select * from public.careless;
        grant create on schema public to authenticated;
        create function public.loose() returns int language sql security definer as 'select 1';
        create publication careless for table public.careless;
    """)

    for what, query in FORBIDDEN.items():
        assert await admin.fetch(query), what


LEAVES_A_TRACE = {"note_waiver_view": "whoever opens the link of a session is noted as having seen it"}


@pytest.mark.parametrize("who", STRANGERS)
async def test_no_function_shows_or_changes_what_is_anothers(
    house: Client, cast: Cast, held: list[Relation], admin: "asyncpg.Connection[asyncpg.Record]", who: str
) -> None:
    """Each is given the ids of Rosa's rows, and the widest of everything else."""
    before = await _contents(admin, held)
    functions = await admin.fetch("""
        select p.proname as name, p.proargnames as names, p.proargtypes::regtype[]::text[] as types
          from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where n.nspname = 'public' and p.prokind = 'f' order by p.proname
    """)
    assert len(functions) > 5

    for function in functions:
        for session in (own_id("waivers.sessions"), own_id("waivers.signed")):
            arguments = dict(zip(function["names"] or (), map(_widest(session), function["types"]), strict=False))
            answer = await house.post(f"/rpc/{function['name']}", json=arguments, headers=cast.headers(who))

            call = f"{who} calls {function['name']}({json.dumps(arguments)})"
            assert answer.status_code < 500, (call, answer.text)
            assert MARK not in answer.text, call
            assert function["name"] in LEAVES_A_TRACE or await _contents(admin, held) == before, call


def _widest(session: str) -> Any:
    by_type = {"uuid": session, "uuid[]": [session], "text": "%", "integer": 1000, "date": "2026-01-01"}
    return by_type.get
