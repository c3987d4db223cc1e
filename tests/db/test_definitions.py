"""Functions, views, triggers and policies are defined by the sql/ folders, and nowhere else."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

import asyncpg
import pytest

from cairn.db import Connection, EmbeddedPostgres, migrate, pending_schema_changes, shipped_definitions
from cairn.db.definitions import existing_objects
from cairn.db.errors import DefinitionFailed, SchemaLocked
from cairn.db.schema_files import Definition, parse_definitions
from tests.db.schema_dump import dump_schema, empty_database

# `from cairn.db import migrate` would import the function `migrate`, not the module.
MIGRATE_MODULE = import_module("cairn.db.migrate")
ShipDefinitions = Callable[[list[Definition]], None]
SESSIONS_POLICY = 'policy "company reads its own sessions" on waivers.sessions'


@pytest.fixture
def ship(monkeypatch: pytest.MonkeyPatch) -> ShipDefinitions:
    """Returns a function that simulates a newer version of Cairn, which ships other definitions."""

    def replace_definitions(definitions: list[Definition]) -> None:
        monkeypatch.setattr(MIGRATE_MODULE, "shipped_definitions", lambda: definitions)

    return replace_definitions


def definitions_with_change(name: str, old: str, new: str) -> list[Definition]:
    definitions = shipped_definitions()
    assert any(definition.object == name and old in definition.sql for definition in definitions)
    return [
        replace(definition, sql=definition.sql.replace(old, new)) if definition.object == name else definition
        for definition in definitions
    ]


def definitions_with(sql: str) -> list[Definition]:
    return [*shipped_definitions(), *parse_definitions("added.sql", sql)]


def definitions_without(*names: str) -> list[Definition]:
    return [definition for definition in shipped_definitions() if definition.object not in names]


async def source_of(admin: Connection, function: str) -> str:
    source: str = await admin.fetchval("select pg_get_functiondef($1::regproc)", function)
    return source


async def test_every_object_of_the_database_is_defined_in_exactly_one_file(admin: Connection) -> None:
    existing = [name for name in await existing_objects(admin) if "procrastinate" not in name]
    defined = sorted(definition.object for definition in shipped_definitions())

    assert sorted(existing) == defined
    assert len(set(defined)) == len(defined)


async def test_an_up_to_date_database_is_not_changed(admin_url: str) -> None:
    assert await pending_schema_changes(admin_url) == []
    assert await migrate(admin_url) == []


async def test_reapplying_all_definitions_changes_nothing(admin: Connection, admin_url: str) -> None:
    before = dump_schema(admin_url)
    await admin.execute("update cairn.definitions set sha256 = 'unknown'")

    [line] = await migrate(admin_url)

    assert line == f"{len(shipped_definitions())} definitions"
    assert dump_schema(admin_url) == before


async def test_a_renamed_parameter_can_be_renamed_back(
    admin: Connection, admin_url: str, ship: ShipDefinitions
) -> None:
    before = dump_schema(admin_url)
    # `create or replace` cannot rename a parameter, so all definitions are dropped and created again.
    ship(definitions_with_change("function jobs.raise_event", "payload jsonb", "content jsonb"))
    await migrate(admin_url)
    assert "content jsonb" in await source_of(admin, "jobs.raise_event")

    ship(shipped_definitions())
    await migrate(admin_url)

    assert dump_schema(admin_url) == before


async def test_a_changed_file_is_applied_at_the_next_start(
    admin: Connection, admin_url: str, ship: ShipDefinitions
) -> None:
    ship(definitions_with_change("function billing.covered_waivers", "1000", "2000"))
    policies = await admin.fetchval("select array_agg(oid order by oid) from pg_policy")

    assert await pending_schema_changes(admin_url) == ["function billing.covered_waivers"]
    assert await migrate(admin_url) == ["function billing.covered_waivers"]

    assert await admin.fetchval("select billing.covered_waivers('basic')") == 2000
    assert await admin.fetchval("select array_agg(oid order by oid) from pg_policy") == policies


async def test_a_removed_object_is_dropped(admin: Connection, admin_url: str, ship: ShipDefinitions) -> None:
    ship(
        definitions_without(
            "function billing.start_trial", "trigger start_trial on auth.sessions", "view public.trials"
        )
    )

    await migrate(admin_url)

    existing = await existing_objects(admin)
    assert "function billing.start_trial" not in existing
    assert "trigger start_trial on auth.sessions" not in existing
    assert "view public.trials" not in existing


async def test_a_dropped_object_is_restored(admin: Connection, admin_url: str) -> None:
    await admin.execute(f"drop {SESSIONS_POLICY}")

    assert await pending_schema_changes(admin_url) == [SESSIONS_POLICY]
    assert await migrate(admin_url) == [SESSIONS_POLICY]
    assert SESSIONS_POLICY in await existing_objects(admin)


async def test_a_removed_grant_is_revoked(admin: Connection, admin_url: str, ship: ShipDefinitions) -> None:
    await admin.execute("create role reporting_tool; grant select on public.trials to reporting_tool")
    ship(definitions_with_change("view public.trials", "to authenticated, service_role", "to service_role"))

    await migrate(admin_url)

    assert not await admin.fetchval("select has_table_privilege('authenticated', 'public.trials', 'select')")
    assert await admin.fetchval("select has_table_privilege('service_role', 'public.trials', 'select')")
    assert await admin.fetchval("select has_table_privilege('reporting_tool', 'public.trials', 'select')")
    await admin.execute("drop owned by reporting_tool; drop role reporting_tool")


async def test_a_function_can_be_executed_only_by_the_roles_that_its_definition_names(
    admin: Connection, admin_url: str, ship: ShipDefinitions
) -> None:
    ship(
        definitions_with(
            """
create function public.private() returns int language sql return 1;
create function public.shared() returns int language sql return 1;
grant execute on function public.shared to authenticated;
"""
        )
    )
    await migrate(admin_url)
    assert await _executors(admin) == [("private", []), ("shared", ["authenticated"])]

    ship(
        definitions_with(
            """
create or replace function public.private() returns int language sql return 2;
create or replace function public.shared() returns int language sql return 2;
grant execute on function public.shared to anon;
"""
        )
    )
    await migrate(admin_url)
    assert await _executors(admin) == [("private", []), ("shared", ["anon"])]


async def _executors(admin: Connection) -> list[tuple[str, list[str]]]:
    rows = await admin.fetch(
        """
        select f as name, array(select r from unnest(array['anon', 'authenticated', 'service_role']) as r
                                 where has_function_privilege(r, format('public.%s()', f), 'execute')) as roles
          from unnest(array['private', 'shared']) as f
        """
    )
    return [(row["name"], row["roles"]) for row in rows]


async def test_a_definition_may_use_a_later_one(admin: Connection, admin_url: str, ship: ShipDefinitions) -> None:
    ship(
        definitions_with(
            """
create view public.later with (security_invoker = true) as select public.twice(2) as four;
create function public.twice(number int) returns int language sql return public.once(number) * 2;
create function public.once(number int) returns int language sql return number;
"""
        )
    )

    await migrate(admin_url)

    assert await admin.fetchval("select four from public.later") == 4


async def test_a_changed_signature_replaces_the_old_function(
    admin: Connection, admin_url: str, ship: ShipDefinitions
) -> None:
    # The body of the function compares the parameter with a uuid, so a parameter of the type text is an error.
    ship(definitions_with_change("function storage.is_sealed", "version uuid", "version text"))
    with pytest.raises(DefinitionFailed, match="is_sealed"):
        await migrate(admin_url)
    ship(
        definitions_with_change(
            "function accounts.company_name", "company uuid", "company uuid, short boolean default false"
        )
    )

    await migrate(admin_url)

    assert (await existing_objects(admin)).count("function accounts.company_name") == 1
    # A view that calls the function still works.
    assert await admin.fetchval("select count(*) from public.waiver_sessions") == 0


async def test_the_signature_of_a_function_that_a_table_uses_cannot_change(
    admin_url: str, ship: ShipDefinitions
) -> None:
    ship(definitions_with_change("function storage.is_plain", "name text", "name varchar"))

    with pytest.raises(DefinitionFailed, match="storage.is_plain"):
        await migrate(admin_url)


async def test_a_failed_change_leaves_all_definitions_as_they_were(
    admin: Connection, admin_url: str, ship: ShipDefinitions
) -> None:
    before = dump_schema(admin_url)
    broken = definitions_with("create function public.broken() returns int language sql return no_such_function();")
    ship([definition for definition in broken if definition.object != SESSIONS_POLICY])

    with pytest.raises(DefinitionFailed, match=r"function public.broken .*no_such_function"):
        await migrate(admin_url)

    assert dump_schema(admin_url) == before
    assert await admin.fetchval("select count(*) from cairn.definitions") == len(shipped_definitions())


async def test_only_one_of_two_processes_that_start_together_migrates(cluster: EmbeddedPostgres) -> None:
    async with empty_database(cluster) as url:
        first, second = await asyncio.gather(migrate(url), migrate(url))

    assert sorted([bool(first), bool(second)]) == [False, True]


async def test_the_upgrade_waits_for_a_busy_table_without_blocking_its_readers(
    admin: Connection, admin_url: str, ship: ShipDefinitions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MIGRATE_MODULE, "LOCK_TIMEOUT_MS", 50)
    monkeypatch.setattr(MIGRATE_MODULE, "LOCK_PAUSE_SECONDS", 0.05)
    ship(definitions_with_change(SESSIONS_POLICY, "company_id = (", "true and company_id = ("))
    reader = await asyncpg.connect(admin_url)
    async with reader.transaction():
        await reader.execute("select from waivers.sessions")
        upgrade = asyncio.create_task(migrate(admin_url))
        for _ in range(5):
            await asyncio.sleep(0.05)
            await asyncio.wait_for(admin.fetch("select from waivers.sessions"), timeout=1)
        assert not upgrade.done()
    await reader.close()

    assert await upgrade == [SESSIONS_POLICY]


async def test_the_upgrade_fails_if_a_table_stays_busy(
    admin_url: str, ship: ShipDefinitions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MIGRATE_MODULE, "LOCK_TIMEOUT_MS", 20)
    monkeypatch.setattr(MIGRATE_MODULE, "LOCK_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(MIGRATE_MODULE, "LOCK_ATTEMPTS", 3)
    ship(definitions_without(SESSIONS_POLICY))
    reader = await asyncpg.connect(admin_url)
    async with reader.transaction():
        await reader.execute("select from waivers.sessions")
        with pytest.raises(SchemaLocked):
            await migrate(admin_url)
    await reader.close()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("create table public.t (id int);", "may only define"),
        ("select 1;\ncreate view public.v as select 1;", "does not start with a definition"),
        (f'create policy "{"a" * 64}" on public.t using (true);', "cut off"),
    ],
)
def test_a_definition_file_contains_only_definitions(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_definitions("wrong.sql", text)
