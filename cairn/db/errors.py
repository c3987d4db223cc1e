"""Errors of the database itself. Errors of a statement are translated by the service that ran it."""

from cairn.kit import Problem


class DatabaseUnreachable(Problem):
    status, code = 503, "database_unreachable"
    message = "The database cannot be reached at the moment."


class DatabaseReadOnly(DatabaseUnreachable):
    message = "The database is read-only at the moment."


class DatabaseFull(DatabaseUnreachable):
    message = "The disk of the database is full."


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
        "{name} is not the secret with which this database has been used. Restore secrets.json from a backup, or set "
        "CAIRN_SECRETS. docs/operations.md says how to rotate a secret, and how to go on if the old one is lost."
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


class ClusterOfOtherVersion(Problem):
    code = "cluster_of_other_version"
    message = (
        "{folder} was made by PostgreSQL {found}, and this Cairn contains PostgreSQL {own}. Run `cairn backup` with "
        "the Cairn that you used before, and `cairn restore` with this one into a new data folder."
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


class LoginRefused(Problem):
    code = "login_refused"
    message = (
        "The database at {host} does not let {role} log in ({reason}). Correct the user and password in "
        "CAIRN_DATABASE__URL, or for authenticator CAIRN_DATABASE__LOGIN_PASSWORD."
    )


class PostgresTooOld(Problem):
    code = "postgres_too_old"
    message = "The database is PostgreSQL {version}. Cairn needs PostgreSQL {minimum} or newer."


class DatabaseIsReplica(Problem):
    code = "database_is_replica"
    message = "The database is a read-only replica. Set CAIRN_DATABASE__URL to the URL of its primary server."


class EncodingNotUtf8(Problem):
    code = "encoding_not_utf8"
    message = "The database {database} has the encoding {encoding}. Create it again with the encoding UTF8."


class NotOwnerOfDatabase(Problem):
    code = "not_owner_of_database"
    message = (
        "The role {role} does not own the database {database}. Use its owner in CAIRN_DATABASE__URL, or let an "
        "administrator run: alter database {database} owner to {role}"
    )


class RolesForbidden(Problem):
    code = "roles_forbidden"
    message = (
        "The role {role} may not create or grant the roles of Cairn ({reason}). Let an administrator run the SQL that "
        "`cairn roles` prints, then start again."
    )


class SchemaForbidden(Problem):
    code = "schema_forbidden"
    message = (
        "The role {role} may not change the schema ({reason}). Use the role in CAIRN_DATABASE__URL that created it."
    )


class PoolerInTransactionMode(Problem):
    code = "pooler_in_transaction_mode"
    message = (
        "CAIRN_DATABASE__URL leads to a pooler in transaction mode. "
        "Set CAIRN_DATABASE__DIRECT_URL to the URL of the database without the pooler."
    )


class RootNeedsNamespace(Problem):
    code = "root_needs_namespace"
    message = (
        "The embedded PostgreSQL does not run as root, and this machine allows no user namespace. "
        "Run Cairn as an ordinary user, or set CAIRN_DATABASE__URL to the URL of an existing PostgreSQL."
    )


class IncludedSqlDiffers(Problem):
    code = "included_sql_differs"
    message = (
        "The installed {package} {version} is not the version that the schema of this Cairn was made with. "
        "Install the versions of requirements.txt: pip install --no-deps --require-hashes -r requirements.txt."
    )
