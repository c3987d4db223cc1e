"""Plans the deletion of a company at the request of its owner. The package `deletion` carries it out."""

from datetime import datetime
from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass


@frozen_dataclass
class Company:
    id: UUID
    name: str
    delete_at: datetime | None
    # When the deletion began. From then on the company cannot be kept.
    deleted_at: datetime | None


async def owned_company(connection: Connection, user_id: UUID) -> UUID | None:
    """Returns the company that this user owns, or None for guests and other people of a company."""
    company_id: UUID | None = await connection.fetchval(
        "select company_id from profiles where id = $1 and accounts.owner_of(company_id) = id", user_id
    )
    return company_id


async def lock_company(connection: Connection, company_id: UUID) -> Company:
    """Locks the company, so that its deletion does not begin while its owner decides to keep it."""
    row = await connection.fetchrow(
        "select id, name, delete_at, deleted_at from companies where id = $1 for no key update", company_id
    )
    assert row is not None, "the row of a company is never deleted"
    return Company(**row)


async def plan_company_deletion(connection: Connection, company_id: UUID, delete_at: datetime) -> None:
    await connection.execute("select accounts.plan_company_deletion($1, $2)", company_id, delete_at)


async def end_company_deletion(connection: Connection, company_id: UUID) -> None:
    """Either the owner keeps the company, or it is deleted completely."""
    await connection.execute("update companies set delete_at = null where id = $1", company_id)


async def companies_to_delete(connection: Connection, now: datetime) -> list[UUID]:
    """Returns all of them, because with a limit the ones that cannot be deleted yet would delay the others."""
    rows = await connection.fetch("select id from companies where delete_at <= $1 order by delete_at", now)
    return [row["id"] for row in rows]


async def people_of(connection: Connection, company_id: UUID) -> list[tuple[UUID, str]]:
    """Returns the id and the email address, confirmed or not, of everyone of the company."""
    rows = await connection.fetch("select id, email from profiles where company_id = $1", company_id)
    return [(row["id"], row["email"]) for row in rows]
