"""Who a caller is to the product: a person of a company, or a guest."""

from dataclasses import dataclass
from uuid import UUID

from cairn.db import Connection


@dataclass(frozen=True, slots=True)
class CompanyPerson:
    name: str
    email: str
    company_id: UUID
    company_name: str


async def company_person(connection: Connection) -> CompanyPerson | None:
    """The caller of this transaction, if they act for a company. Read with the caller's own rights."""
    row = await connection.fetchrow(
        """
        select p.name, p.email, c.id as company_id, c.name as company_name
          from profiles p
          join companies c on c.id = p.company_id
         where p.id = auth.uid()
        """
    )
    return None if row is None else CompanyPerson(**row)


@dataclass(frozen=True, slots=True)
class Reader:
    id: UUID
    name: str
    email: str


async def told_by_email(connection: Connection, company_id: UUID) -> list[Reader]:
    """Who of this company wants a mail about each signature; never an address that nobody has proven to be theirs."""
    rows = await connection.fetch(
        """
        select p.id, p.name, p.email
          from profiles p
          join auth.users u on u.id = p.id
         where p.company_id = $1 and p.email_on_signing and u.email_confirmed_at is not null
         order by p.created_at
        """,
        company_id,
    )
    return [Reader(**row) for row in rows]
