"""Errors of the database itself. Errors of a statement are translated by the service that ran it."""

from cairn.kit import Problem


class DatabaseUnreachable(Problem):
    status, code = 503, "database_unreachable"
    message = "The database cannot be reached at the moment."


class DatabaseBusy(Problem):
    status, code = 503, "database_busy"
    message = "All database connections are in use."


class SchemaTooNew(Problem):
    code = "schema_too_new"
    message = (
        "The database was migrated by a newer Cairn (it knows '{name}', this code does not). "
        "Run that newer version, or point CAIRN_DATABASE__URL to another database."
    )


class MigrationChanged(Problem):
    code = "migration_changed"
    message = "Migration '{name}' was applied with another content. Migrations are append-only: add a new one instead."


class FirstEditionIncomplete(Problem):
    code = "first_edition_incomplete"
    message = (
        "The database was made by a development version before 0.2 and has {count} of its {total} migrations, or some "
        "with another content. Run `cairn migrate` of the last 0.1 version first, or start with an empty database."
    )


class DefinitionFailed(Problem):
    code = "definition_failed"
    message = "The {object} could not be applied: {reason}"


class SecretChanged(Problem):
    code = "secret_changed"
    message = (
        "{name} is not the secret with which this database has been used, so its encrypted data could not be read. "
        "Restore secrets.json from a backup. docs/operations.md says how to go on without the old secret."
    )


class SchemaLocked(Problem):
    code = "schema_locked"
    message = (
        "The schema could not be changed, because another connection keeps a table locked. End it and start again."
    )


class EmbeddedPostgresFailed(Problem):
    code = "embedded_postgres_failed"
    message = "The embedded PostgreSQL did not start: {reason} Its log is {log}."


class ClusterIncomplete(Problem):
    code = "cluster_incomplete"
    message = (
        "{folder} is not a complete PostgreSQL cluster: PG_VERSION is missing. "
        "Restore the folder from a backup, or move it away to start with an empty database."
    )


class SocketFolderUnsafe(Problem):
    code = "socket_folder_unsafe"
    message = (
        "The socket folder {folder} cannot be used, because {reason}. "
        "Remove it, or choose a data folder with a shorter path: --data or CAIRN_DATA."
    )


class DatabaseUrlInvalid(Problem):
    code = "database_url_invalid"
    message = "CAIRN_DATABASE__URL cannot be used: it must be like postgresql://user:password@host:5432/database."


class DatabaseUrlUnreachable(DatabaseUnreachable):
    message = "The database at {host} cannot be reached ({reason}). Start it, or correct CAIRN_DATABASE__URL."


class RootNeedsNamespace(Problem):
    code = "root_needs_namespace"
    message = (
        "The embedded PostgreSQL does not run as root, and this machine allows no user namespace. "
        "Run Cairn as an ordinary user, or set CAIRN_DATABASE__URL to the URL of an existing PostgreSQL."
    )
