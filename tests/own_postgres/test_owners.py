"""The owner of the database needs no BYPASSRLS, and no CREATEROLE either if the roles of Cairn exist."""

from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from cairn.db import SERVICE, Database, migrate, roles_script
from cairn.db.errors import LoginRefused, NotOwnerOfDatabase, RolesForbidden
from tests.factories import make_session, sign
from tests.own_postgres.servers import LOGIN_PASSWORD, PASSWORD, OwnPostgres
from tests.people import sign_up
from tests.serving import run_cairn


@pytest_asyncio.fixture
async def empty_server(server: OwnPostgres) -> AsyncIterator[OwnPostgres]:
    """Removes the database and the roles of the last test."""
    await server.remove_cairn()
    yield server
    await server.remove_cairn()


async def check_that_cairn_works(server: OwnPostgres) -> None:
    """Signs a waiver, reads it as the server does, and lets another company look for it."""
    async with Database(server.url("authenticator", "cairn")) as database:
        rosa = await sign_up(database, "rosa@rio-rafting.example", "Rosa Marín", company="Rio Rafting")
        mallory = await sign_up(database, "mallory@rapid-rivals.example", "Mallory Quick", company="Rapid Rivals")
        waiver = await sign(database, await make_session(database, rosa))
        async with database.acting_as(SERVICE) as connection:
            assert await connection.fetchval("select id from signed_waivers") == waiver["id"]
            assert await connection.fetchval("select count(*) from companies") == 2
        async with database.acting_as(mallory.principal) as connection:
            assert await connection.fetchval("select name from companies") == "Rapid Rivals"
            assert await connection.fetchval("select count(*) from signed_waivers") == 0


@pytest.mark.accept("OPS-29")
async def test_an_owner_with_createrole_needs_no_bypassrls(empty_server: OwnPostgres) -> None:
    await empty_server.create_owner("createrole")
    owner_url = empty_server.url("owner", "cairn")

    await migrate(owner_url, login_password=LOGIN_PASSWORD)

    await check_that_cairn_works(empty_server)
    connection = await asyncpg.connect(owner_url)
    assert not await connection.fetchval("select rolbypassrls from pg_roles where rolname = 'service_role'")
    # A table that the operator adds gets the policy when `migrate` runs again, even if there is no new migration.
    await connection.execute(
        "create table tours (name text); alter table tours enable row level security;"
        "grant all on tours to service_role; insert into tours values ('Middle Fork')"
    )
    assert await migrate(owner_url, login_password=LOGIN_PASSWORD) == []
    assert await migrate(owner_url, login_password=LOGIN_PASSWORD) == []
    await connection.close()
    async with (
        Database(empty_server.url("authenticator", "cairn")) as database,
        database.acting_as(SERVICE) as service,
    ):
        assert await service.fetchval("select name from tours") == "Middle Fork"


@pytest.mark.accept("OPS-30")
async def test_a_plain_owner_needs_only_the_roles_that_cairn_roles_prints(
    empty_server: OwnPostgres, tmp_path: Path
) -> None:
    await empty_server.create_owner("")
    owner_url = empty_server.url("owner", "cairn")
    environment = {"CAIRN_DATABASE__URL": owner_url, "CAIRN_DATABASE__LOGIN_PASSWORD": LOGIN_PASSWORD}
    refused = run_cairn("migrate", "--data", tmp_path, **environment)
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert refused.stderr.startswith("cairn: The role owner may not create or grant the roles of Cairn (permission")

    script = run_cairn("roles", "--data", tmp_path, **environment).stdout
    await empty_server.run(script)
    # The script may be run again.
    await empty_server.run(script)

    await migrate(owner_url, login_password=LOGIN_PASSWORD)
    await check_that_cairn_works(empty_server)


@pytest.mark.accept("OPS-30")
async def test_an_administrator_without_bypassrls_can_create_the_roles(empty_server: OwnPostgres) -> None:
    await empty_server.create_owner("")
    await empty_server.run(f"create role administrator login createrole password '{PASSWORD}'")
    owner_url = empty_server.url("owner", "cairn")
    administrator = await asyncpg.connect(empty_server.url("administrator"))
    await administrator.execute(roles_script(owner_url, LOGIN_PASSWORD))
    await administrator.close()

    await migrate(owner_url, login_password="another password, which the owner may not set")

    await check_that_cairn_works(empty_server)
    with pytest.raises(LoginRefused, match="does not let authenticator log in"):
        async with Database(empty_server.url("authenticator", "cairn").replace("authenticator:", "authenticator:not")):
            pass


async def test_roles_of_another_owner_need_the_script_too(empty_server: OwnPostgres) -> None:
    """From PostgreSQL 16 on, CREATEROLE is not enough to grant roles that someone else created."""
    await empty_server.create_owner("createrole")
    await migrate(empty_server.url(database="cairn"))
    await empty_server.run("drop database cairn with (force)", "create database cairn owner owner")
    owner_url = empty_server.url("owner", "cairn")
    try:
        await migrate(owner_url, login_password=LOGIN_PASSWORD)
    except RolesForbidden:
        await empty_server.run(roles_script(owner_url, LOGIN_PASSWORD))
        await migrate(owner_url, login_password=LOGIN_PASSWORD)
    await check_that_cairn_works(empty_server)


@pytest.mark.accept("OPS-33")
async def test_a_role_that_does_not_own_the_database_is_named(empty_server: OwnPostgres) -> None:
    await empty_server.create_owner("createrole")
    await empty_server.run("alter database cairn owner to postgres")
    with pytest.raises(NotOwnerOfDatabase, match="The role owner does not own the database cairn"):
        await migrate(empty_server.url("owner", "cairn"))


@pytest.mark.accept("OPS-33")
async def test_another_encoding_is_refused(empty_server: OwnPostgres) -> None:
    await empty_server.create_owner("createrole")
    await empty_server.run(
        "drop database cairn", "create database cairn owner owner template template0 encoding 'LATIN1' locale 'C'"
    )
    with pytest.raises(Exception, match="The database cairn has the encoding LATIN1"):
        await migrate(empty_server.url("owner", "cairn"))
