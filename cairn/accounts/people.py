"""Who a caller is to the product: a person of a company, or a guest."""

from dataclasses import dataclass
from uuid import UUID

from cairn.db import Connection


@dataclass(frozen=True, slots=True)
class CompanyPerson:
    email: str
    company_id: UUID
    company_name: str


async def company_person(connection: Connection) -> CompanyPerson | None:
    """The caller of this transaction, if they act for a company. Read with the caller's own rights."""
    row = await connection.fetchrow(
        """
        select p.email, c.id as company_id, c.name as company_name
          from profiles p
          join companies c on c.id = p.company_id
         where p.id = auth.uid()
        """
    )
    return None if row is None else CompanyPerson(**row)
