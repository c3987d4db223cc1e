"""Lists and suspends companies, and plans their deletion. The package `deletion` carries it out."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass


@frozen_dataclass
class Company:
    id: UUID
    name: str
    delete_at: datetime | None
    # When the deletion began. From then on it can no longer be cancelled.
    deleted_at: datetime | None
    # When the operator suspended it, or None if it is not suspended.
    suspended_at: datetime | None


@frozen_dataclass
class ListedCompany(Company):
    created_at: datetime
    people: int
    owner_email: str | None


async def search_companies(connection: Connection, text: str, limit: int) -> list[ListedCompany]:
    """Returns the newest companies whose name contains the text, or whose id is the text."""
    rows = await connection.fetch(
        """
        select c.id, c.name, c.delete_at, c.deleted_at, c.suspended_at, c.created_at,
               (select count(*) from profiles p where p.company_id = c.id) as people,
               (select p.email from profiles p where p.id = accounts.owner_of(c.id)) as owner_email
          from companies c
         where $1 = '' or strpos(lower(c.name), lower($1)) > 0 or c.id::text = lower($1)
         order by c.created_at desc, c.id
         limit $2
        """,
        text, limit,
    )  # fmt: skip
    return [ListedCompany(**row) for row in rows]


async def company_names(connection: Connection, user_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Returns the names of the companies to which these users belong, by user."""
    rows = await connection.fetch(
        "select p.id, c.name from profiles p join companies c on c.id = p.company_id where p.id = any ($1)", user_ids
    )
    return {row["id"]: row["name"] for row in rows}


async def company_exists(connection: Connection, company_id: UUID) -> bool:
    exists: bool = await connection.fetchval("select exists (select from companies where id = $1)", company_id)
    return exists


async def suspend_company(connection: Connection, company_id: UUID, now: datetime) -> None:
    """Suspends the company. If it is already suspended, the earlier time stays."""
    await connection.execute(
        "update companies set suspended_at = coalesce(suspended_at, $2) where id = $1", company_id, now
    )


async def resume_company(connection: Connection, company_id: UUID) -> None:
    await connection.execute("update companies set suspended_at = null where id = $1", company_id)


async def log_operator_act(connection: Connection, company_id: UUID, act: str) -> None:
    """Records what the operator did to the company in `auth.audit_log`, in a row about the company's owner."""
    await connection.execute(
        "select auth.log_operator_act(accounts.owner_of($1), $2, jsonb_build_object('company_id', $1::uuid))",
        company_id, act,
    )  # fmt: skip


async def owned_company(connection: Connection, user_id: UUID) -> UUID | None:
    """Returns the company that this user owns, or None for guests and for people of a company who do not own it."""
    company_id: UUID | None = await connection.fetchval(
        "select company_id from profiles where id = $1 and accounts.owner_of(company_id) = id", user_id
    )
    return company_id


async def lock_company(connection: Connection, company_id: UUID) -> Company:
    """Locks the company, so that its deletion cannot begin or be cancelled before this transaction ends."""
    row = await connection.fetchrow(
        "select id, name, delete_at, deleted_at, suspended_at from companies where id = $1 for no key update",
        company_id,
    )
    assert row is not None, "the row of a company is never deleted"
    return Company(**row)


async def schedule_company_deletion(connection: Connection, company_id: UUID, delete_at: datetime) -> None:
    await connection.execute("select accounts.schedule_company_deletion($1, $2)", company_id, delete_at)


async def unschedule_company_deletion(connection: Connection, company_id: UUID) -> None:
    """Removes the company from those to delete, because it is kept or because its deletion is complete."""
    await connection.execute("update companies set delete_at = null where id = $1", company_id)


async def companies_to_delete(connection: Connection, now: datetime) -> list[UUID]:
    """Returns all companies whose deletion is due.

    There is no limit. Otherwise the companies that cannot be deleted yet could delay the others.
    """
    rows = await connection.fetch("select id from companies where delete_at <= $1 order by delete_at", now)
    return [row["id"] for row in rows]


async def people_of(connection: Connection, company_id: UUID) -> list[tuple[UUID, str]]:
    """Returns the id and the email address, confirmed or not, of everyone in the company."""
    rows = await connection.fetch("select id, email from profiles where company_id = $1", company_id)
    return [(row["id"], row["email"]) for row in rows]
