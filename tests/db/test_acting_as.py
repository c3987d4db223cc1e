import asyncpg
import pytest

from cairn.db import ANON, SERVICE, Database, Principal
from tests.people import Person


async def test_the_login_role_has_no_privileges_itself(login_url: str) -> None:
    connection = await asyncpg.connect(login_url)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await connection.fetch("select * from profiles")
    await connection.close()


async def test_claims_are_visible_only_in_their_own_transaction(database: Database, rosa: Person) -> None:
    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchval("select auth.uid()") == rosa.id
        assert await connection.fetchval("select current_user::text") == "authenticated"

    async with database.acting_as(ANON) as connection:
        assert await connection.fetchval("select auth.uid()") is None


async def test_only_a_signed_in_user_who_requests_by_id_gets_the_role_authenticated_by_id(
    database: Database, rosa: Person
) -> None:
    current_role = "select current_user::text"
    async with database.acting_as(rosa.principal, by_id=True) as connection:
        assert await connection.fetchval(current_role) == "authenticated_by_id"
    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchval(current_role) == "authenticated"
    for principal, expected in ((rosa.principal, b"authenticated_by_id"), (ANON, b"anon"), (SERVICE, b"service_role")):
        assert await database.run_statement(principal, {}, current_role, [], by_id=True) == (expected,)


async def test_an_exception_rolls_the_transaction_back(database: Database, rosa: Person) -> None:
    with pytest.raises(RuntimeError):
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute("update companies set name = 'Half done'")
            raise RuntimeError

    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchval("select name from companies") == "Rio Rafting"


async def test_claims_cannot_inject_sql(database: Database) -> None:
    principal = Principal("anon", {"role": "anon", "note": "'; drop table profiles; --\\"})
    async with database.acting_as(principal) as connection:
        assert await connection.fetchval("select auth.jwt() ->> 'note'") == "'; drop table profiles; --\\"


def test_a_principal_with_an_unknown_role_is_refused() -> None:
    with pytest.raises(ValueError, match="no such database role"):
        Principal("postgres")


async def test_a_read_only_transaction_cannot_write(database: Database) -> None:
    with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
        async with database.acting_as(SERVICE, read_only=True) as connection:
            await connection.execute("delete from notifications")
