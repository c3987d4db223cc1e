"""Finds functions of the database that are not those of the sql/ folders.

`cairn.definitions` does not show that, because someone who replaces a function can leave that table as it is.
"""

from collections.abc import Collection

import asyncpg

from cairn.db.connect import connect
from cairn.db.database import Connection
from cairn.db.schema_files import shipped_definitions


async def replaced_functions(admin_url: str, files: Collection[str]) -> list[str]:
    """Returns the functions of these files that are missing in the database, or have another definition there."""
    definitions = {
        definition.object.removeprefix("function "): definition.sql
        for definition in shipped_definitions()
        if definition.file in files and definition.object.startswith("function ")
    }
    connection = await connect(admin_url)
    try:
        transaction = connection.transaction()
        await transaction.start()
        # With this path, a name without a schema always means a function of PostgreSQL itself.
        await connection.execute("set local search_path = ''")
        before = await _function_texts(connection)
        # PostgreSQL prints functions in its own format. So those of the files are created, printed and rolled back.
        failed_names = [name for name, sql in definitions.items() if not await _can_create(connection, sql)]
        after = await _function_texts(connection)
        await transaction.rollback()
    finally:
        await connection.close()
    return [name for name in definitions if name in failed_names or before.get(name) != after[name]]


async def _function_texts(connection: Connection) -> dict[str, str]:
    """Returns the definitions of all functions by their names. Functions with the same name are joined."""
    rows = await connection.fetch(
        """
        select n.nspname || '.' || p.proname as name,
               string_agg(pg_get_functiondef(p.oid), E'\\n' order by pg_get_functiondef(p.oid)) as text
          from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where p.prokind = 'f' and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'
         group by 1
        """
    )
    return {row["name"]: row["text"] for row in rows}


async def _can_create(connection: Connection, sql: str) -> bool:
    try:
        async with connection.transaction():
            await connection.execute(sql)
    except asyncpg.PostgresError:
        return False
    return True
