"""Creates the roles of Cairn, or says what an administrator has to do if the owner of the database may not."""

from importlib import resources

import asyncpg

from cairn.db.connect import role_of
from cairn.db.database import Connection, literal
from cairn.db.errors import RolesForbidden
from cairn.db.start_errors import one_line

_ALL_ROWS_POLICY = '"service_role reads and changes all rows"'


def roles_script(owner_url: str, login_password: str) -> str:
    """Returns the SQL with which an administrator creates the roles for an owner who may not create any."""
    owner = quote_identifier(role_of(owner_url))
    return f"""{_roles_sql()}
-- The owner of the database grants the roles again when it creates the schema.
grant anon, authenticated, authenticated_by_id, service_role to {owner} with admin option;
alter role authenticator password {literal(login_password)};
"""


async def create_roles(connection: Connection) -> None:
    """Creates the roles that are missing. The first migration expects that the owner may grant all of them."""
    try:
        async with connection.transaction():
            await connection.execute(_roles_sql())
    except asyncpg.InsufficientPrivilegeError as error:
        raise RolesForbidden(role=await connection.fetchval("select current_user"), reason=one_line(error)) from error


async def set_login_password(connection: Connection, password: str) -> None:
    """Sets the password of the login role. If the owner may not do this, an administrator has set the password."""
    try:
        async with connection.transaction():
            await connection.execute(f"alter role authenticator password {literal(password)}")
    except asyncpg.InsufficientPrivilegeError:
        return


async def let_service_role_access_all_rows(connection: Connection) -> None:
    """Adds policies that have the effect of BYPASSRLS, if service_role could not be created with it.

    Like BYPASSRLS, they also apply to the tables of the operator that have the same owner.
    """
    if await connection.fetchval("select rolbypassrls from pg_roles where rolname = 'service_role'"):
        return
    tables = await connection.fetch(
        """
        select format('%I.%I', n.nspname, c.relname) as name
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ('r', 'p') and c.relrowsecurity and pg_has_role(c.relowner, 'usage')
           and not exists (select from pg_policy p where p.polrelid = c.oid and quote_ident(p.polname) = $1)
        """,
        _ALL_ROWS_POLICY,
    )
    for table in tables:
        await connection.execute(
            f"create policy {_ALL_ROWS_POLICY} on {table['name']} to service_role using (true) with check (true)"
        )


def quote_identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _roles_sql() -> str:
    return (resources.files("cairn.db") / "roles.sql").read_text("utf-8")
