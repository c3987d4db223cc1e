"""Tests what the access matrix cannot find by reading rows: privileges, functions, and ways around policies."""

import json
from typing import Any

import asyncpg
import pytest

from cairn.db import Connection
from tests.rest.conftest import Client
from tests.rest.sample_rows import MARKER, Relation, sample_id
from tests.rest.test_access_matrix import STRANGERS, Tokens, all_rows, exposed_relations, kim, matrix_client, tokens

# These fixtures are imported, so that pytest finds them in this module.
__all__ = ["exposed_relations", "kim", "matrix_client", "tokens"]

USER_ROLES = "unnest(array['anon', 'authenticated']) as role_name"

# Each query lists the names of forbidden definitions, for example of a new table without row-level security.
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
    "a privilege other than reading and writing rows": f"""
        select role_name || ' ' || what || ' ' || c.oid::regclass from pg_class c, {USER_ROLES},
               unnest(array['truncate', 'references', 'trigger']) as what
         where c.relkind in ('r', 'v', 'm', 'p', 'f') and c.relnamespace <> 'pg_catalog'::regnamespace
           and has_table_privilege(role_name, c.oid, what)""",
    "a table of which users may write every column": f"""
        select role_name || ' ' || what || ' ' || c.relname
          from pg_class c join pg_namespace n on n.oid = c.relnamespace,
               {USER_ROLES}, unnest(array['insert', 'update']) as what
         where n.nspname = 'public' and c.relkind in ('r', 'p') and has_table_privilege(role_name, c.oid, what)""",
    "a sequence that users may advance": f"""
        select c.relname from pg_class c, {USER_ROLES}
         where c.relkind = 'S' and has_sequence_privilege(role_name, c.oid, 'usage, update')""",
    "a schema in which users may create objects": f"""
        select role_name || ' ' || nspname from pg_namespace, {USER_ROLES}
         where has_schema_privilege(role_name, oid, 'create')""",
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


@pytest.mark.parametrize(("description", "query"), FORBIDDEN.items(), ids=FORBIDDEN)
async def test_there_is_no_forbidden_definition(admin: Connection, description: str, query: str) -> None:
    assert [row[0] for row in await admin.fetch(query)] == [], description


async def test_every_query_finds_a_forbidden_definition(admin: Connection) -> None:
    await admin.execute("""
        create table public.careless (id serial primary key, note text);
        create policy "all" on public.careless using (true);
        grant all on public.careless, public.careless_id_seq to anon;
        create view public.glimpse as select * from public.careless;
        grant create on schema public to authenticated;
        create function public.loose() returns int language sql security definer as 'select 1';
        create publication careless for table public.careless;
    """)

    for description, query in FORBIDDEN.items():
        assert await admin.fetch(query), description


MAY_WRITE = {"note_waiver_view": "opening the link of a session is recorded"}
"""Strangers may write with these functions. The value is the reason."""


@pytest.mark.parametrize("caller", STRANGERS)
async def test_no_function_shows_or_changes_rows_of_another_company(
    matrix_client: Client, tokens: Tokens, exposed_relations: list[Relation], admin: Connection, caller: str
) -> None:
    """Calls each function with the ids of Rosa's rows, and with arguments that match as many rows as possible."""
    rows_before = await all_rows(admin, exposed_relations)
    functions = await list_functions(admin)
    assert len(functions) > 5

    for function in functions:
        for session in (sample_id("waivers.sessions"), sample_id("waivers.signed")):
            arguments = dict(
                zip(function["names"] or (), map(argument_by_type(session), function["types"]), strict=False)
            )
            response = await matrix_client.post(
                f"/rpc/{function['name']}", json=arguments, headers=tokens.headers(caller)
            )

            call = f"{caller} calls {function['name']}({json.dumps(arguments)})"
            assert response.status_code < 500, (call, response.text)
            assert MARKER not in response.text, call
            rows = await all_rows(admin, exposed_relations)
            assert function["name"] in MAY_WRITE or rows == rows_before, call
            rows_before = rows


async def list_functions(admin: Connection) -> list["asyncpg.Record"]:
    return await admin.fetch("""
        select p.proname as name, p.proargnames as names, p.proargtypes::regtype[]::text[] as types
          from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where n.nspname = 'public' and p.prokind = 'f' order by p.proname
    """)


def argument_by_type(session: str) -> Any:
    """Returns a function that returns an argument for the name of a SQL type."""
    by_type = {"uuid": session, "uuid[]": [session], "text": "%", "integer": 1000, "date": "2026-01-01"}
    return by_type.get
