"""Checks that the access matrix cannot make by reading rows: privileges, functions, and ways around policies."""

import json
from typing import Any

import asyncpg
import pytest

from tests.rest.conftest import Client
from tests.rest.sample_rows import MARK, Relation, sample_id
from tests.rest.test_access_matrix import STRANGERS, Cast, _contents, cast, exposed, kim, matrix_client

__all__ = ["cast", "exposed", "kim", "matrix_client"]

USER_ROLES = "unnest(array['anon', 'authenticated']) as who"

# Each query finds forbidden definitions; a careless new table, view or function is reported by its name.
FORBIDDEN = {
    "a table without row-level security": """
        select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relrowsecurity""",
    "a view with the privileges of its owner": """
        select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'public' and c.relkind in ('v', 'm')
           and not coalesce('security_invoker=true' = any (c.reloptions), false)""",
    "a policy for all roles": """
        select tablename || ': ' || policyname from pg_policies
         where schemaname = 'public' and 'public' = any (roles)""",
    "a privilege beyond rows": f"""
        select who || ' ' || what || ' ' || c.oid::regclass from pg_class c, {USER_ROLES},
               unnest(array['truncate', 'references', 'trigger']) as what
         where c.relkind in ('r', 'v', 'm', 'p', 'f') and c.relnamespace <> 'pg_catalog'::regnamespace
           and has_table_privilege(who, c.oid, what)""",
    "a table of which users may write every column": f"""
        select who || ' ' || what || ' ' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace,
               {USER_ROLES}, unnest(array['insert', 'update']) as what
         where n.nspname = 'public' and c.relkind in ('r', 'p') and has_table_privilege(who, c.oid, what)""",
    "a sequence that users may advance": f"""
        select c.relname from pg_class c, {USER_ROLES}
         where c.relkind = 'S' and has_sequence_privilege(who, c.oid, 'usage, update')""",
    "a schema in which users may create objects": f"""
        select who || ' ' || nspname from pg_namespace, {USER_ROLES} where has_schema_privilege(who, oid, 'create')""",
    "a function that is executable without a grant": """
        select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where n.nspname = 'public' and (p.proacl is null or exists (
               select from aclexplode(p.proacl) as acl where acl.grantee = 0))""",
    "a security definer function without a search_path": """
        select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where n.nspname !~ '^(pg_|information_schema$|jobs$)' and p.prosecdef
           and not coalesce(array_to_string(p.proconfig, ' ') ~ 'search_path=', false)""",
    "a table in a publication": "select tablename from pg_publication_tables",
}


@pytest.mark.parametrize(("what", "query"), FORBIDDEN.items(), ids=FORBIDDEN)
async def test_no_privilege_beyond_rows_is_granted(
    admin: "asyncpg.Connection[asyncpg.Record]", what: str, query: str
) -> None:
    assert [row[0] for row in await admin.fetch(query)] == [], what


async def test_every_check_finds_a_careless_definition(admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    await admin.execute("""
        create table public.careless (id serial primary key, note text);
        create policy "all" on public.careless using (true);
        grant all on public.careless, public.careless_id_seq to anon;
        create view public.glimpse as select * from public.careless;
        grant create on schema public to authenticated;
        create function public.loose() returns int language sql security definer as 'select 1';
        create publication careless for table public.careless;
    """)

    for what, query in FORBIDDEN.items():
        assert await admin.fetch(query), what


MAY_WRITE = {"note_waiver_view": "opening the link of a session is recorded"}


@pytest.mark.parametrize("who", STRANGERS)
async def test_no_function_shows_or_changes_rows_of_another_company(
    matrix_client: Client, cast: Cast, exposed: list[Relation], admin: "asyncpg.Connection[asyncpg.Record]", who: str
) -> None:
    """Each function is called with the ids of Rosa's rows, and otherwise with the broadest arguments."""
    before = await _contents(admin, exposed)
    functions = await admin.fetch("""
        select p.proname as name, p.proargnames as names, p.proargtypes::regtype[]::text[] as types
          from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where n.nspname = 'public' and p.prokind = 'f' order by p.proname
    """)
    assert len(functions) > 5

    for function in functions:
        for session in (sample_id("waivers.sessions"), sample_id("waivers.signed")):
            arguments = dict(zip(function["names"] or (), map(_broadest(session), function["types"]), strict=False))
            response = await matrix_client.post(f"/rpc/{function['name']}", json=arguments, headers=cast.headers(who))

            call = f"{who} calls {function['name']}({json.dumps(arguments)})"
            assert response.status_code < 500, (call, response.text)
            assert MARK not in response.text, call
            assert function["name"] in MAY_WRITE or await _contents(admin, exposed) == before, call


def _broadest(session: str) -> Any:
    by_type = {"uuid": session, "uuid[]": [session], "text": "%", "integer": 1000, "date": "2026-01-01"}
    return by_type.get
