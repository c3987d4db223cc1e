"""Applies the functions, views, triggers and policies of the sql/ folders to a database, in one transaction."""

import re
from collections.abc import Iterable, Mapping, Sequence

import asyncpg

from cairn.db.database import Connection
from cairn.db.errors import DefinitionFailed
from cairn.db.schema_files import Definition

# Only the sql/ folders grant privileges on functions and views to these roles. Roles that an operator has added keep
# their privileges.
_CAIRN_ROLES = "anon, authenticated, authenticated_by_id, service_role"

_LOCK_ERRORS = (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError)


async def outdated_definitions(connection: Connection, definitions: Sequence[Definition]) -> list[str]:
    """Returns the objects that `apply_definitions` would create, replace or drop."""
    if await connection.fetchval("select to_regclass('cairn.definitions')") is None:
        return [definition.object for definition in definitions]
    recorded_hashes = await _recorded_hashes(connection)
    # An object may be missing because a migration or an operator dropped it.
    existing_names = set(await existing_objects(connection))
    changed_names = [
        definition.object
        for definition in definitions
        if definition.object not in existing_names or recorded_hashes.get(definition.object) != definition.sha256
    ]
    return changed_names + sorted(recorded_hashes.keys() - {definition.object for definition in definitions})


async def apply_definitions(connection: Connection, definitions: Sequence[Definition]) -> list[str]:
    """Creates new objects, replaces changed ones, drops removed ones, and returns their names.

    Must run inside a transaction. Unchanged objects are skipped, so that their tables are not locked.
    """
    outdated_names = await outdated_definitions(connection, definitions)
    if not outdated_names:
        return []
    try:
        async with connection.transaction():
            await _replace_in_place(connection, definitions, outdated_names)
    except DefinitionFailed:
        await _rebuild(connection, definitions, outdated_names)
    await _record_hashes(connection, definitions)
    return outdated_names


async def existing_objects(connection: Connection) -> list[str]:
    """Lists every function, view, trigger and policy of the database, named like `Definition.object`."""
    rows = await connection.fetch(
        """
        with schemas as (
            select oid, nspname from pg_namespace where nspname <> 'information_schema' and nspname not like 'pg\\_%'
        ), relations as (
            select c.oid, c.relkind, n.nspname || '.' || c.relname as name
              from pg_class c join schemas n on n.oid = c.relnamespace
        )
        select 'function ' || n.nspname || '.' || p.proname as object
          from pg_proc p join schemas n on n.oid = p.pronamespace
         where not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
        union all
        select 'view ' || name from relations where relkind in ('v', 'm')
        union all
        select 'trigger ' || t.tgname || ' on ' || r.name
          from pg_trigger t join relations r on r.oid = t.tgrelid where not t.tgisinternal
        union all
        select format('policy "%s" on %s', p.polname, r.name) from pg_policy p join relations r on r.oid = p.polrelid
         order by 1
        """
    )
    return [row["object"] for row in rows]


async def _replace_in_place(
    connection: Connection, definitions: Sequence[Definition], outdated_names: Sequence[str]
) -> None:
    existing_names = set(await existing_objects(connection))
    by_object = {definition.object: definition for definition in definitions}
    steps = {
        name: _replacement_sql(by_object[name], existing_names) if name in by_object else f"drop {name}"
        for name in outdated_names
        if name in by_object or name in existing_names
    }
    await _run_in_any_order(connection, steps)
    await _reject_overloads(connection, by_object)


async def _rebuild(connection: Connection, definitions: Sequence[Definition], outdated_names: Sequence[str]) -> None:
    """Drops all objects and creates them again.

    This is needed if the signature of a function or the columns of a view changed, because `create or replace` rejects
    these changes. A function that a table uses cannot be dropped, so it is replaced in place.
    """
    objects = {definition.object for definition in definitions} | set(outdated_names)
    existing_names = [name for name in await existing_objects(connection) if name in objects]
    await _run_in_any_order(connection, {name: f"drop {name}" for name in existing_names}, all_must_succeed=False)
    await _replace_in_place(connection, definitions, sorted(objects))


async def _run_in_any_order(connection: Connection, steps: Mapping[str, str], *, all_must_succeed: bool = True) -> None:
    """Runs all steps. A step that fails may need the result of another one, so it is tried again after the others."""
    remaining_steps = dict(steps)
    while remaining_steps:
        errors: dict[str, asyncpg.PostgresError] = {}
        for name, sql in remaining_steps.items():
            try:
                async with connection.transaction():
                    await connection.execute(sql)
            except _LOCK_ERRORS:
                raise
            except asyncpg.PostgresError as error:
                errors[name] = error
        if len(errors) == len(remaining_steps):
            if not all_must_succeed:
                return
            name, reason = next(iter(errors.items()))
            raise DefinitionFailed(object=name, reason=reason) from reason
        remaining_steps = {name: steps[name] for name in errors}


async def _reject_overloads(connection: Connection, names: Iterable[str]) -> None:
    """Raises if a changed parameter type created a second function instead of replacing the old one."""
    existing_names = await existing_objects(connection)
    for name in names:
        if existing_names.count(name) > 1:
            raise DefinitionFailed(object=name, reason="a table uses it with other parameter types")


def _replacement_sql(definition: Definition, existing_names: set[str]) -> str:
    kind, _, name = definition.object.partition(" ")
    if kind == "function":
        # PostgreSQL lets everyone execute a new function, and `create or replace` keeps the privileges of an old one.
        # Here a function can be executed only by the roles that its definition names.
        create, *grants = re.split(r"^(?=grant )", definition.sql, maxsplit=1, flags=re.MULTILINE)
        return f"{create}\nrevoke all on function {name} from public, {_CAIRN_ROLES};\n{''.join(grants)}"
    if definition.object not in existing_names or kind == "trigger":
        return definition.sql
    if kind == "policy":
        return f"drop {definition.object};\n{definition.sql}"
    return f"revoke all on {name} from public, {_CAIRN_ROLES};\n{definition.sql}"


async def _recorded_hashes(connection: Connection) -> dict[str, str]:
    rows = await connection.fetch("select object, sha256 from cairn.definitions")
    return {row["object"]: row["sha256"] for row in rows}


async def _record_hashes(connection: Connection, definitions: Sequence[Definition]) -> None:
    await connection.execute("delete from cairn.definitions")
    await connection.executemany(
        "insert into cairn.definitions (object, sha256) values ($1, $2)",
        [(definition.object, definition.sha256) for definition in definitions],
    )
