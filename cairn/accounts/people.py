"""Reads the people of a company: the caller, and those who get emails about its waivers."""

from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass


@frozen_dataclass
class CompanyPerson:
    name: str
    email: str
    company_id: UUID
    company_name: str
    # True if the operator has suspended the company.
    is_suspended: bool


async def company_person(connection: Connection) -> CompanyPerson | None:
    """Returns the caller of this transaction, or None if they belong to no company."""
    row = await connection.fetchrow(
        """
        select p.name, p.email, c.id as company_id, c.name as company_name, c.suspended_at is not null as is_suspended
          from profiles p
          join companies c on c.id = p.company_id
         where p.id = auth.uid()
        """
    )
    return None if row is None else CompanyPerson(**row)


@frozen_dataclass
class EmailRecipient:
    id: UUID
    name: str
    email: str
    # The time zone of the company.
    time_zone: str = "UTC"


async def signing_email_recipients(connection: Connection, company_id: UUID) -> list[EmailRecipient]:
    """Returns the people who chose to get an email for each signature and have confirmed their email address."""
    return await _confirmed_people(connection, company_id, "and p.email_on_signing")


async def confirmed_people(connection: Connection, company_id: UUID) -> list[EmailRecipient]:
    """Returns everyone of the company who has confirmed their email address."""
    return await _confirmed_people(connection, company_id)


async def _confirmed_people(connection: Connection, company_id: UUID, condition: str = "") -> list[EmailRecipient]:
    rows = await connection.fetch(
        f"""
        select p.id, p.name, p.email, c.time_zone
          from profiles p
          join companies c on c.id = p.company_id
         where p.company_id = $1 and auth.confirmed_email(p.id) is not null {condition}
         order by p.created_at
        """,
        company_id,
    )
    return [EmailRecipient(**row) for row in rows]
