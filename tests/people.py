"""Creates people for tests: Rosa owns Rio Rafting, Bea works for her, Gil is a guest, Mallory owns a rival company."""

import json
from uuid import UUID

from cairn.db import SERVICE, Database, Principal
from cairn.kit import frozen_dataclass


@frozen_dataclass
class Person:
    id: UUID
    email: str
    name: str
    role: str
    company_id: UUID | None

    @property
    def principal(self) -> Principal:
        """Returns the principal that the person's access token would produce."""
        return Principal("authenticated", {"sub": str(self.id), "role": "authenticated", "email": self.email})

    @property
    def company(self) -> UUID:
        assert self.company_id is not None, f"{self.name} has no company"
        return self.company_id


async def sign_up(
    database: Database, email: str, name: str, *, company: str | None, is_confirmed: bool = True
) -> Person:
    role = "customer" if company is None else "company"
    person = await _insert_user(database, email, name, {"role": role}, is_confirmed=is_confirmed)
    if company is not None:
        async with database.acting_as(SERVICE) as connection:
            await connection.execute("update companies set name = $2 where id = $1", person.company_id, company)
    return person


async def hire(database: Database, email: str, name: str, *, by: Person) -> Person:
    return await _insert_user(database, email, name, {"role": "company", "company_id": str(by.company_id)})


async def confirm(database: Database, person: Person) -> None:
    """Confirms the person's email address."""
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.users set email_confirmed_at = now() where id = $1", person.id)


async def _insert_user(
    database: Database, email: str, name: str, app_metadata: dict[str, str], *, is_confirmed: bool = True
) -> Person:
    async with database.acting_as(SERVICE) as connection:
        user_id = await connection.fetchval(
            """
            insert into auth.users (email, app_metadata, user_metadata, email_confirmed_at)
            values ($1, $2, $3, case when $4 then now() end) returning id
            """,
            email, json.dumps(app_metadata), json.dumps({"name": name}), is_confirmed,
        )  # fmt: skip
        company_id = await connection.fetchval("select company_id from profiles where id = $1", user_id)
    return Person(user_id, email, name, app_metadata["role"], company_id)


async def signed_in(database: Database, person: Person) -> Principal:
    """Returns the principal of a session in which the person's email address is proven, if it is confirmed."""
    async with database.acting_as(SERVICE) as connection:
        session = await connection.fetchval("insert into auth.sessions (user_id) values ($1) returning id", person.id)
    return Principal("authenticated", {**person.principal.claims, "session_id": str(session)})
