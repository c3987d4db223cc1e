"""Starts the embedded PostgreSQL, applies the migrations, and runs transactions with the role of the caller.

Other packages use the database through `acting_as` and `run_statement` of `Database`. Both take a principal, and
row-level security sees the role and the claims of that principal. The queries themselves are in the store modules of
each package.
"""

from cairn.db.batches import delete_old_rows, run_in_batches
from cairn.db.check_server import is_read_only
from cairn.db.connect import connect, open_session, with_login_role
from cairn.db.connection_lost import is_connection_lost
from cairn.db.database import Connection, Database, literal
from cairn.db.embedded import EmbeddedPostgres, postgres_program
from cairn.db.errors import (
    DatabaseBusy,
    DatabaseUnreachable,
    EmbeddedPostgresFailed,
    MigrationChanged,
    SchemaTooNew,
    SecretChanged,
)
from cairn.db.fingerprints import check_secrets
from cairn.db.migrate import has_current_schema, migrate, pending_schema_changes
from cairn.db.pipeline import Row, Value
from cairn.db.principal import ANON, ROLES, SERVICE, Principal
from cairn.db.replaced_functions import replaced_functions
from cairn.db.retry import RetryPolicy
from cairn.db.roles import roles_script
from cairn.db.schema_files import shipped_definitions, shipped_migrations

__all__ = [
    "ANON",
    "ROLES",
    "SERVICE",
    "Connection",
    "Database",
    "DatabaseBusy",
    "DatabaseUnreachable",
    "EmbeddedPostgres",
    "EmbeddedPostgresFailed",
    "MigrationChanged",
    "Principal",
    "RetryPolicy",
    "Row",
    "SchemaTooNew",
    "SecretChanged",
    "Value",
    "check_secrets",
    "connect",
    "delete_old_rows",
    "has_current_schema",
    "is_connection_lost",
    "is_read_only",
    "literal",
    "migrate",
    "open_session",
    "pending_schema_changes",
    "postgres_program",
    "replaced_functions",
    "roles_script",
    "run_in_batches",
    "shipped_definitions",
    "shipped_migrations",
    "with_login_role",
]
