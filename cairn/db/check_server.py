"""Checks whether a database can be migrated, and whether it can be written to at the moment."""

from cairn.db.database import Connection
from cairn.db.errors import (
    DatabaseIsReplica,
    EncodingNotUtf8,
    NotOwnerOfDatabase,
    PostgresTooOld,
)

MIN_SERVER_VERSION = 15


async def is_read_only(connection: Connection) -> bool:
    """Returns whether transactions are read-only by default, as they are on a replica and during many failovers."""
    read_only: bool = await connection.fetchval(
        "select pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool"
    )
    return read_only


async def check_server(connection: Connection) -> None:
    """Raises if the database cannot be migrated, before anything is changed."""
    server = await connection.fetchrow(
        """
        select current_setting('server_version_num')::int / 10000 as version,
               pg_is_in_recovery() as is_replica,
               current_setting('server_encoding') as encoding,
               current_user as role,
               d.datname as database,
               pg_has_role(d.datdba, 'usage') as is_owner
          from pg_database d where d.datname = current_database()
        """
    )
    assert server is not None
    if server["version"] < MIN_SERVER_VERSION:
        raise PostgresTooOld(version=server["version"], minimum=MIN_SERVER_VERSION)
    if server["is_replica"]:
        raise DatabaseIsReplica
    if server["encoding"] != "UTF8":
        raise EncodingNotUtf8(database=server["database"], encoding=server["encoding"])
    if not server["is_owner"]:
        raise NotOwnerOfDatabase(role=server["role"], database=server["database"])
